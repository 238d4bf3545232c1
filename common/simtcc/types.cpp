/*
 * types.cpp - a plugin for g++ that tells the simulator the alignment and the pointer of an access.
 *
 * The hooks of -fsanitize=thread tell the address and the size of an access.  A GPU's compiler also uses the alignment:
 * it moves a struct in pieces that are as wide as the alignment allows.  It loads p[i].x and p[i].y together if p is a
 * float4 *, but not if p points to a struct of four floats.  So this pass runs after the pass that inserts the hooks,
 * and replaces the hook (simt/run/hooks.cpp) of
 *
 *   - a number in a struct that is aligned to more than the number's size;
 *   - a struct of 16 bytes that is aligned to less, for which g++ has the same hook as for a float4;
 *   - a struct of any other size.
 *
 * It also marks computations that need a branch on a GPU, because accesses before and after a branch are not combined:
 * quotients of floats and of 64-bit integers, and functions such as sqrt and sin (found among a hundred that nvcc 13.0
 * compiled for sm_90; with -use_fast_math those of floats have no branch).
 *
 * GCC's own documentation of plugins is chapter 25 of its internals manual.
 */
#include <cstdio>
#include <cstring>
#include <gcc-plugin.h>
#include <plugin-version.h>
#include <tree.h>
#include <gimple.h>
#include <gimple-iterator.h>
#include <tree-pass.h>
#include <context.h>
#include <builtins.h>
#include <internal-fn.h>

int plugin_is_GPL_compatible;

namespace {

/* The hook that a statement calls, "read4" or "write_range"; NULL if it calls none. */
const char *hook_of(gimple *s)
{
    static const char *const before = "__builtin___tsan_";
    const tree called = is_gimple_call(s) ? gimple_call_fndecl(s) : NULL_TREE;
    if (!called || !DECL_NAME(called) || strncmp(IDENTIFIER_POINTER(DECL_NAME(called)), before, strlen(before)) != 0)
        return NULL;
    return IDENTIFIER_POINTER(DECL_NAME(called)) + strlen(before);
}

/* The access to which the hook at i belongs, in the next statement with an access.  NULL_TREE if it is unknown, as
 * for the result of a call. */
tree accessed(gimple_stmt_iterator i, bool writes)
{
    for (gsi_next(&i); !gsi_end_p(i); gsi_next(&i)) {
        gimple *const s = gsi_stmt(i);
        if (hook_of(s) || !gimple_vuse(s))
            continue;
        if (!gimple_assign_single_p(s))
            return NULL_TREE;
        return writes ? gimple_assign_lhs(s) : gimple_assign_rhs1(s);
    }
    return NULL_TREE;
}

/* The alignment of a number in bytes, by its types: the struct that contains it, the outer struct, and the type to
 * which a pointer points. */
unsigned aligned(tree access)
{
    unsigned align, by_type = TYPE_ALIGN(TREE_TYPE(access));
    unsigned HOST_WIDE_INT place;
    get_object_alignment_1(access, &align, &place);
    for (tree t = access; handled_component_p(t); t = TREE_OPERAND(t, 0))
        by_type = MAX(by_type, TYPE_ALIGN(TREE_TYPE(TREE_OPERAND(t, 0))));
    return MIN(align, by_type) / BITS_PER_UNIT;
}

/* The alignment of a struct, including its offset in an outer struct. */
unsigned struct_aligned(tree access)
{
    const unsigned by_type = MAX(TYPE_ALIGN_UNIT(TREE_TYPE(access)), aligned(access));
    return MIN(get_object_alignment(access) / BITS_PER_UNIT, by_type);
}

bool fast_math;     /* -use_fast_math */

bool is_exact(tree type) { return !fast_math || TYPE_PRECISION(type) > 32; }

/* Whether a GPU computes the statement with a branch. */
bool has_branch(gimple *s)
{
    static const char *const OF_FLOATS = " sqrtf sinf cosf tanf sincosf hypotf powf ";
    static const char *const ALWAYS = " fmodf remainderf atan2f j0f sqrt rsqrt sin cos tan sincos atan2 fmod pow "
                                      "remainder acosh asinh atanh sinh lgamma log1p tgamma ";
    const char *const file = expand_location(gimple_location(s)).file;
    if (file && strstr(file, "/simt/include/")) /* the code of rsqrtf on the CPU differs from a GPU's */
        return false;
    if (is_gimple_call(s) && gimple_call_internal_p(s))
        return gimple_call_internal_fn(s) == IFN_SQRT && is_exact(TREE_TYPE(gimple_call_arg(s, 0)));
    if (is_gimple_call(s)) {
        const tree called = gimple_call_fndecl(s);
        const char *const name = called && DECL_NAME(called) ? IDENTIFIER_POINTER(DECL_NAME(called)) : "";
        char word[32];
        snprintf(word, sizeof word, " %s ", strncmp(name, "__builtin_", 10) ? name : name + 10);
        return strstr(ALWAYS, word) || (!fast_math && strstr(OF_FLOATS, word));
    }
    if (!is_gimple_assign(s))
        return false;
    const tree_code what = gimple_assign_rhs_code(s);
    const tree type = TREE_TYPE(gimple_assign_lhs(s));
    if (what == RDIV_EXPR)
        return TREE_CODE(type) == REAL_TYPE && is_exact(type);
    return (what == TRUNC_DIV_EXPR || what == TRUNC_MOD_EXPR) && INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == 64 &&
           TREE_CODE(gimple_assign_rhs2(s)) != INTEGER_CST;
}

void mark_branch(gimple_stmt_iterator *i)
{
    const tree mark = build_fn_decl("simt_branch", build_function_type_list(void_type_node, NULL_TREE));
    gcall *const call = gimple_build_call(mark, 0);
    TREE_NOTHROW(mark) = 1;
    gimple_set_location(call, gimple_location(gsi_stmt(*i)));
    gsi_insert_before(i, call, GSI_SAME_STMT);
}

/* The number, 1 to 15, of the __restrict__ pointer of the access; 0 for other pointers. */
unsigned pointer_of(tree access)
{
    const tree base = get_base_address(access);
    if (!base || TREE_CODE(base) != MEM_REF || MR_DEPENDENCE_BASE(base) == 0)
        return 0;
    return 1 + (MR_DEPENDENCE_CLIQUE(base) * 4u + MR_DEPENDENCE_BASE(base)) % 15;
}

/* Replaces the hook at *i by one that also gets the alignment and the pointer. */
void tell(gimple_stmt_iterator *i, const char *name, unsigned size, unsigned type_of)
{
    gimple *const hook = gsi_stmt(*i);
    const tree type =
        build_function_type_list(void_type_node, ptr_type_node, size_type_node, size_type_node, NULL_TREE);
    const tree told = build_fn_decl(name, type);
    gcall *const call = gimple_build_call(told, 3, gimple_call_arg(hook, 0), build_int_cst(size_type_node, size),
                                          build_int_cst(size_type_node, type_of));
    gimple_set_location(call, gimple_location(hook));
    TREE_NOTHROW(told) = 1;
    gsi_replace(i, call, false);
}

void look_at_hook(gimple_stmt_iterator *i, const char *hook)
{
    enum { WIDEST = 16 };
    const bool writes = !strncmp(hook, "write", 5);
    unsigned size = 0;
    if (!strcmp(hook, "read_range") || !strcmp(hook, "write_range"))
        size = (unsigned)tree_to_uhwi(gimple_call_arg(gsi_stmt(*i), 1));
    else if (sscanf(hook, writes ? "write%u" : "read%u", &size) != 1)
        return;
    const tree access = accessed(*i, writes);
    if (!access)
        return;
    const unsigned align = size < WIDEST && pow2p_hwi(size) ? aligned(access) : struct_aligned(access);
    if (align != size && !(size == WIDEST && align > size))
        tell(i, writes ? "simt_typed_write" : "simt_typed_read", size,
             MIN(align, (unsigned)WIDEST) | pointer_of(access) << 8);
}

const pass_data about = {GIMPLE_PASS, "types", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0,
                         TODO_update_ssa_only_virtuals};
struct types_pass : gimple_opt_pass {
    types_pass() : gimple_opt_pass(about, g) {}
    unsigned execute(function *f) override
    {
        basic_block b;
        FOR_EACH_BB_FN (b, f)
            for (gimple_stmt_iterator i = gsi_start_bb(b); !gsi_end_p(i); gsi_next(&i)) {
                const char *const hook = hook_of(gsi_stmt(i));
                if (hook)
                    look_at_hook(&i, hook);
                else if (has_branch(gsi_stmt(i)))
                    mark_branch(&i);
            }
        return 0;
    }
};

} // namespace

int plugin_init(plugin_name_args *plugin, plugin_gcc_version *version)
{
    if (!plugin_default_version_check(version, &gcc_version))
        return 1;
    fast_math = plugin->argc > 0; /* -fplugin-arg-types-fast_math */
    register_pass_info where = {new types_pass, "tsan", 1, PASS_POS_INSERT_AFTER};
    register_callback(plugin->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &where);
    return 0;
}
