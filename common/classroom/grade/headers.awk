# headers.awk - what a submission asks of the preprocessor: `awk -v name=e1.cu -v includes=FILE -f headers.awk TEXT`, FILE with the
# headers that it may name, TEXT what `g++ -E -dU` makes of it.  Prints a line for each other header, and for each macro that an
# #if asks for, that nobody defines here, and that nvcc or CUDA's headers may define: by such a macro it could tell who
# compiles it, and be two programs.  (What is defined here alone the compiler refuses: entrance.h.)  Only the preprocessor has
# written lines like # 12 "path" 1: directives.awk refuses them.
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
