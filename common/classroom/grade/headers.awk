# headers.awk - the headers that a submission names, in its preprocessed text: `awk -v name=e1.cu -v includes=FILE -f headers.awk`,
# FILE with those that it may name.  Prints a line for each other one.  Only the preprocessor has written lines like
# # 12 "path" 1: directives.awk refuses them.
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

function look(path,    rest) {
    for (rest = path; sub(/^[^\/]*\//, "", rest);) if (rest in listed) return
    printf "%s:%d: #include <%s> is not allowed; allowed headers: docs/exercises/README.md\n", name, here, rest
}
