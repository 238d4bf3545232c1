// A plugin that makes g++ crash.
#include <cstdlib>
#include <gcc-plugin.h>
int plugin_is_GPL_compatible;
static void crash(void *, void *) { abort(); }
int plugin_init(plugin_name_args *p, plugin_gcc_version *)
{
    register_callback(p->base_name, PLUGIN_PRE_GENERICIZE, crash, nullptr);
    return 0;
}
