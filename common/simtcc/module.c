/* module.c - is linked into every module that simtcc -ptx, -cubin or -fatbin builds.  It tells the program that
 * loads the module where its variables are (common/simulator/simt/programs/api_modules.cpp). */
#include "cuda.h"

#define SECTION(name) \
    extern const char __start_##name[] __attribute__((weak, visibility("hidden"))), \
        __stop_##name[] __attribute__((weak, visibility("hidden")))
SECTION(simt_device);
SECTION(simt_managed);
SECTION(simt_constant);

__attribute__((constructor)) static void here(void)
{
    static simt_module_place place;
    place = (simt_module_place){{__start_simt_device, __stop_simt_device}, {__start_simt_managed, __stop_simt_managed},
                                {__start_simt_constant, __stop_simt_constant}};
    simt_module_here(&place);
}
