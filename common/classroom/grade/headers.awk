# headers.awk - checks headers and macros of a submission: `awk -v name=e1.cu -v includes=FILE -f headers.awk TEXT`.
# FILE lists the allowed headers; TEXT is the output of `g++ -E -dU`.  Prints a line for each other header, and for each
# undefined macro in an #if that nvcc or CUDA's headers may define: with it a submission could detect the compiler and
# behave differently.  (entrance.h poisons the macros that only our build defines.)  Lines like # 12 "path" 1 come from
# the preprocessor only, because directives.awk refuses them.
BEGIN { while ((getline header <includes) > 0) listed[header] = 1 }
/^# [0-9]+ "/ {
    path = $0
    sub(/^# [0-9]+ "/, "", path)
    flags = path
    sub(/".*/, "", path)
    sub(/.*"/, "", flags)
    if (flags ~ / 1/) {
        if (own && !depth++) look(path)
        else if (!own) ++depth
    } else if (flags ~ / 2/) --depth
    if (path == name && !depth) own = 1
    line = $2 - 1
}
{ ++line; if (own && !depth) here = line }
own && !depth && /^#undef (_|CU)/ { printf "%s: #if asks for %s: a submission may not do this\n", name, $2 }

function look(path,    rest) {
    for (rest = path; sub(/^[^\/]*\//, "", rest);) if (rest in listed) return
    printf "%s:%d: #include <%s> is not allowed; allowed headers: docs/exercises/README.md\n", name, here, rest
}
