/*
 * api_modules.cpp - kernels that a program loads while it runs: the driver interface's modules.
 *
 * With -ptx, -cubin or -fatbin, simtcc compiles a .cu file to a text that contains a shared object.  A program can keep
 * the text as a file, a string or bytes, as it would keep GPU code.  Loading it is a dlopen.  The object finds the
 * functions of the runtime in the program, because simtcc links the program so that they are exported.
 */
#include <algorithm>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <link.h>
#include <memory>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include "internal.hpp"
#include "cuda.h"
#include "simt_launch.h"

struct simt_module {
    void *handle;
    std::vector<std::unique_ptr<simt_function>> functions;
};

struct simt_function {
    std::string name;
    void *kernel;
};

namespace simt {

/* A loaded module stays in memory until the program ends, because reports name its source lines.  Its parts: */
struct Loaded {
    uintptr_t from, to, constant_from, constant_to;
    Region variables[2];        /* __device__, __managed__ */
};
enum { MOST_MODULES = 256 };
static Loaded loaded[MOST_MODULES];
static std::atomic<int> n_loaded;
static std::mutex lock;
static std::set<CUmodule> modules;
static std::vector<std::unique_ptr<simt_function>> unloaded;
static std::unordered_map<const void *, simt_function> of_program;      /* kernels that cudaGetFuncBySymbol has named */

template <class F> static Loaded *find(F is_it)
{
    for (int i = n_loaded.load(std::memory_order_acquire); i-- > 0;)
        if (is_it(loaded[i]))
            return &loaded[i];
    return nullptr;
}

void module_stretches(std::vector<Stretch> *all)
{
    for (int i = 0; i < n_loaded.load(std::memory_order_acquire); ++i) {
        const Loaded &l = loaded[i];
        for (const Region &r : l.variables)
            if (r.size)
                all->push_back({(char *)r.base, r.size, nullptr, false});
        if (l.constant_from < l.constant_to)
            all->push_back({(char *)l.constant_from, l.constant_to - l.constant_from, nullptr, false});
    }
}

Region *module_region(uintptr_t a)
{
    Loaded *l = find([a](const Loaded &m) { return m.variables[0].contains(a) || m.variables[1].contains(a); });
    return l ? &l->variables[l->variables[1].contains(a)] : nullptr;
}

bool is_module_constant(uintptr_t a)
{ return find([a](const Loaded &m) { return a >= m.constant_from && a < m.constant_to; }) != nullptr; }

bool in_module(uintptr_t a) { return find([a](const Loaded &m) { return a >= m.from && a < m.to; }) != nullptr; }

uintptr_t module_pc(uint32_t pc)
{
    const auto offset = [pc](const Loaded &m) { return (uint32_t)(pc - short_pc(m.from)); };
    const Loaded *l = find([&](const Loaded &m) { return offset(m) < m.to - m.from; });
    return l ? l->from + offset(*l) : 0;
}

/* ---- the text of a module ---- */

static const char FIRST_LINE[] = "// simt module 1\n", LAST_LINE[] = "// end";

/* Decodes the object, which the text contains in base64 (RFC 4648), in all lines but the first and the last. */
static std::string object_of(const char *text)
{
    static const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string object;
    const char *end = strncmp(text, FIRST_LINE, sizeof FIRST_LINE - 1) == 0 ? strstr(text, LAST_LINE) : nullptr;
    const char *at = end ? text + sizeof FIRST_LINE - 1 : nullptr;
    unsigned bits = 0, n = 0;
    for (; at < end; ++at) {
        const size_t digit = digits.find(*at);
        if (digit == std::string::npos)
            continue;
        bits = bits << 6 | (unsigned)digit;
        n += 6;
        if (n >= 8)
            object += (char)(bits >> (n -= 8));
    }
    return object;
}

/* ---- loading ---- */

static int note_place(struct dl_phdr_info *info, size_t, void *at)
{
    Loaded *l = static_cast<Loaded *>(at);
    uintptr_t from = UINTPTR_MAX, to = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            from = std::min<uintptr_t>(from, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
            to = std::max<uintptr_t>(to, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
        }
    if (l->from < from || l->from >= to)
        return 0;
    l->from = from;
    l->to = to;
    return 1;
}

/* Calls dlopen for an object that exists only in memory. */
static CUresult open_object(const std::string &object, void **handle)
{
    const int file = memfd_create("module", MFD_CLOEXEC);
    if (file < 0 || write(file, object.data(), object.size()) != (ssize_t)object.size()) {
        close(file);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    const std::string name = "/proc/self/fd/" + std::to_string(file);
    *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (*handle) {
        const link_map *map = nullptr;
        dlinfo(*handle, RTLD_DI_LINKMAP, &map);
        source_add(file, "module", map->l_addr);
        return CUDA_SUCCESS;    /* the file stays open: dlopen would confuse it with a later one of its number */
    }
    const char *why = dlerror();
    fprintf(stderr, "simt: a module cannot be loaded: %s%s\n", why, strstr(why, "undefined symbol: ") ?
            "\n  the program has to be linked by simtcc, or with -rdynamic: a module calls the runtime in it" : "");
    close(file);
    return CUDA_ERROR_INVALID_IMAGE;
}

static CUresult load(CUmodule *module, const char *text, uintptr_t pc)
{
    std::lock_guard<std::mutex> hold(lock);
    const std::string object = text ? object_of(text) : "";
    *module = nullptr;
    memory_init();
    if (object.empty()) {
        complain(pc, "cuModuleLoad needs a module that simtcc built, and this is not one",
                 "build its .cu file with simtcc -ptx, -cubin or -fatbin: the simulator does not run GPU code");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    void *handle;
    if (n_loaded == MOST_MODULES)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (CUresult e = open_object(object, &handle))
        return e;
    if (!unchecked() && dlsym(handle, "simt_unchecked_code")) {
        complain(pc, "an unchecked module in a program that is checked",
                 "build both with simtcc --unchecked, or neither");
        return CUDA_ERROR_INVALID_IMAGE;
    }
    *module = new simt_module{handle, {}};
    modules.insert(*module);
    return CUDA_SUCCESS;
}

static bool is_module(CUmodule module, const char *call, uintptr_t pc)
{
    if (modules.count(module))
        return true;
    complain(pc, std::string(call) + " of a module that is not loaded", "was it loaded, or unloaded before?");
    return false;
}

static bool is_function(CUfunction f, uintptr_t pc)
{
    std::lock_guard<std::mutex> hold(lock);
    bool there = false;
    for (CUmodule m : modules)
        for (const auto &g : m->functions)
            there = there || g.get() == f;
    for (const auto &g : of_program)
        there = there || &g.second == f;
    if (!there)
        complain(pc, "launch of a function whose module is not loaded", "was its module unloaded before?");
    return there;
}

/* Splits a buffer that contains all arguments (CU_LAUNCH_PARAM_*) into the arguments. */
static CUresult split(CUfunction f, void **extra, std::vector<void *> *args, uintptr_t pc)
{
    void *buffer = nullptr;
    size_t given = 0, wanted = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2)
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE) given = *static_cast<size_t *>(extra[1]);
        else return CUDA_ERROR_INVALID_VALUE;
    simt_kernel how;
    if (!buffer || !kernel_known(f->kernel, &how))
        return CUDA_ERROR_INVALID_VALUE;
    args->resize(256);
    if ((wanted = how.split(buffer, args->data())) <= given)
        return CUDA_SUCCESS;
    complain(pc, format("cuLaunchKernel of %s with %zu bytes of arguments: it has %zu", f->name.c_str(), given, wanted),
             "each argument begins at a multiple of its alignment");
    return CUDA_ERROR_INVALID_VALUE;
}

} // namespace simt

using namespace simt;

#define PC ((uintptr_t)__builtin_return_address(0))

void simt_module_here(const simt_module_place *p)
{
    Loaded l = {(uintptr_t)p, 0, (uintptr_t)p->constants[0], (uintptr_t)p->constants[1], {}};
    if (!dl_iterate_phdr(note_place, &l) || n_loaded == MOST_MODULES)
        return;
    make_variables(l.variables[0], p->variables[0], p->variables[1]);
    make_variables(l.variables[1], p->managed[0], p->managed[1]);
    loaded[n_loaded] = l;
    n_loaded.fetch_add(1, std::memory_order_release);
}

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{ return load(module, static_cast<const char *>(image), PC); }

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int, CUjit_option *, void **)
{ return load(module, static_cast<const char *>(image), PC); }

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{ return load(module, static_cast<const char *>(image), PC); }

CUresult cuModuleLoad(CUmodule *module, const char *file)
{
    std::ifstream in(file, std::ios::binary);
    *module = nullptr;
    if (!in)
        return CUDA_ERROR_FILE_NOT_FOUND;
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    return load(module, text.c_str(), PC);
}

CUresult cuModuleUnload(CUmodule module)
{
    std::lock_guard<std::mutex> hold(lock);
    if (!is_module(module, "cuModuleUnload", PC))
        return CUDA_ERROR_INVALID_HANDLE;
    for (auto &f : module->functions)
        unloaded.push_back(std::move(f));       /* so that the address is not used again */
    modules.erase(module);
    delete module;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    std::lock_guard<std::mutex> hold(lock);
    *function = nullptr;
    if (!is_module(module, "cuModuleGetFunction", PC))
        return CUDA_ERROR_INVALID_HANDLE;
    void *kernel = dlsym(module->handle, name);
    simt_kernel how;
    if (!kernel || !kernel_known(kernel, &how))
        return CUDA_ERROR_NOT_FOUND;
    module->functions.emplace_back(new simt_function{name, kernel});
    *function = module->functions.back().get();
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr *variable, size_t *bytes, CUmodule module, const char *name)
{
    std::lock_guard<std::mutex> hold(lock);
    if (!is_module(module, "cuModuleGetGlobal", PC))
        return CUDA_ERROR_INVALID_HANDLE;
    void *p = dlsym(module->handle, name), *symbol = nullptr;
    Dl_info info;
    if (!p || !dladdr1(p, &info, &symbol, RTLD_DL_SYMENT) || !symbol)
        return CUDA_ERROR_NOT_FOUND;
    if (variable)
        *variable = (CUdeviceptr)(uintptr_t)p;
    if (bytes)
        *bytes = static_cast<ElfW(Sym) *>(symbol)->st_size;
    return CUDA_SUCCESS;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    simt_kernel how;
    if (!kernel_known(symbol, &how)) {
        complain(PC, "cudaGetFuncBySymbol needs a kernel, and this address is not one",
                 "pass the kernel itself, or (void *)kernel in a file that declares the kernel");
        return done(cudaErrorInvalidDeviceFunction);
    }
    std::lock_guard<std::mutex> hold(lock);
    *function = &of_program.emplace(symbol, simt_function{symbol_of(symbol), const_cast<void *>(symbol)}).first->second;
    return done(cudaSuccess);
}

const void *simt_kernel_of(CUfunction function) { return function->kernel; }

const char *simt_named(CUmodule module, const char *pointer)
{
    void **at = static_cast<void **>(dlsym(module->handle, pointer));
    Dl_info info;
    return at && dladdr(*at, &info) && info.dli_saddr == *at ? info.dli_sname : nullptr;
}

CUresult simt_launch_function(CUfunction f, dim3 grid, dim3 block, unsigned shared, CUstream stream, void **args,
                              void **extra, int cooperative)
{
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = cooperative;
    return simt_launch_with(f, grid, block, shared, stream, args, extra, &attribute, 1);
}

CUresult simt_launch_with(CUfunction f, dim3 grid, dim3 block, unsigned shared, CUstream stream, void **args,
                          void **extra, cudaLaunchAttribute *attributes, unsigned n)
{
    std::vector<void *> apart;
    if (!is_function(f, PC))
        return CUDA_ERROR_INVALID_HANDLE;
    if (!args && extra) {
        if (CUresult e = split(f, extra, &apart, PC))
            return e;
        args = apart.data();
    }
    if (cudaError_t e = sticky_error())
        return (CUresult)e;
    /* On a GPU a fault of the kernel is not known yet: a later call that waits for the kernel returns it. */
    const cudaLaunchConfig_t config = {grid, block, shared, stream, attributes, n};
    const cudaError_t e = cudaLaunchKernelExC(&config, f->kernel, args);
    return sticky_error() ? CUDA_SUCCESS : (CUresult)e;
}

/* ---- linking: only of one module, whose result is that module ---- */

struct simt_link { std::string text; };

CUresult cuLinkCreate(unsigned int, CUjit_option *, void **, CUlinkState *state)
{ return *state = new simt_link(), CUDA_SUCCESS; }

CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void *data, size_t size, const char *, unsigned int,
                       CUjit_option *, void **)
{
    const std::string text(static_cast<char *>(data), size);
    if (!state->text.empty() || object_of(text.c_str()).empty()) {
        complain(PC, state->text.empty() ? "cuLinkAddData needs a module that simtcc built, and this is not one"
                                         : "cuLinkAddData got a second module, and the simulator links only one",
                 "compile all .cu files by one simtcc command: it builds one module of them");
        return state->text.empty() ? CUDA_ERROR_INVALID_IMAGE : CUDA_ERROR_NOT_SUPPORTED;
    }
    state->text = text;
    return CUDA_SUCCESS;
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *file, unsigned int, CUjit_option *, void **)
{
    std::ifstream in(file, std::ios::binary);
    if (!in)
        return CUDA_ERROR_FILE_NOT_FOUND;
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    return cuLinkAddData(state, type, &text[0], text.size(), file, 0, nullptr, nullptr);
}

CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size)
{
    if (state->text.empty())
        return CUDA_ERROR_INVALID_VALUE;
    *image = &state->text[0];
    if (size)
        *size = state->text.size();
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state) { return delete state, CUDA_SUCCESS; }
