# launch.sed - turns CUDA's own syntax into C++ that g++ reads.  Run with sed -E.
# Works line by line and keeps line numbers.  Five rewrites:
#
#   k<T, V><<<grid, block>>>(x)    simt::launch("k<T, V>", k<T, V>, grid, block)(x)
#   extern __shared__ T s[];       T *const s = simt::dynamic_shared();
#   __shared__ T a[8], b;          a and b become references into the block's shared memory
#   __device__ T a[8];             a stands in a section of its own (constants stay among the program's)
#   __noinline__                   g++'s attribute (no macro: its own headers use the word)
#
# So: a declaration of shared memory or of a __device__ variable stands on one line (up to
# its =), and the launch of a template kernel spells its template arguments out.

# 1. Kernel launch.  Only what stands before the arguments changes; the three angle
#    brackets are found one by one, so the configuration may span several lines.
s/([A-Za-z_][A-Za-z0-9_:]*(<[^;{}<>]*(<[^;<>]*>[^;{}<>]*)*>)?)[[:space:]]*<<</simt::launch("\1", \1, /g
s/>>>([[:space:]]*\()/)\1/g

# 2. Dynamic shared memory.  In a function it is a pointer; at file scope (column 0) an
#    object that turns into that pointer wherever it is used.
s/^extern[[:space:]]+__shared__[[:space:]]+(.*[^A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*)[[:space:]]*\[[[:space:]]*\][[:space:]]*;/static const simt::file_scope_shared<\1> \2{};/
s/extern[[:space:]]+__shared__[[:space:]]+([^;]*[^A-Za-z0-9_;])([A-Za-z_][A-Za-z0-9_]*)[[:space:]]*\[[[:space:]]*\][[:space:]]*;/\1 *const \2 = simt::dynamic_shared();/

# 3. Static shared memory.  First one declarator per declaration, then a reference.
s/static[[:space:]]+__shared__/__shared__/
s/volatile[[:space:]]+__shared__/__shared__ volatile/
:split
s/__shared__[[:space:]]+([A-Za-z_][A-Za-z0-9_:<> ]*[ *>])([A-Za-z_][A-Za-z0-9_]*[[:space:]]*(\[[^];]*\])*)[[:space:]]*,[[:space:]]*([^;]*;)/__shared__ \1\2; __shared__ \1\4/
t split
s/__shared__[[:space:]]+([^;]*[^A-Za-z0-9_;])([A-Za-z_][A-Za-z0-9_]*)[[:space:]]*((\[[^];]*\][[:space:]]*)*);/typedef \1 simt_type_\2 \3; static const char simt_key_\2 = 0; simt_type_\2 \&\2 = *simt::shared_variable<simt_type_\2>(\&simt_key_\2, "\2");/g

# 4. A variable, not a function: there is no parenthesis before the = or the semicolon.
/const|operator/!s/^([[:space:]]*((static|extern|inline|volatile)[[:space:]]+)*)__device__([[:space:]][^(){};=]*[;=])/\1__attribute__((section("simt_device"))) \4/

# 5.
s/__noinline__/__attribute__((noinline))/g
