# mutants.awk - breaks steps of a chapter as its test_mutants.txt says.
#
#   awk -v PART=rows -f mutants.awk test_mutants.txt   the mutants below "== rows", as one .cu file
#   awk -f mutants.awk test_mutants.txt                a line for each mutant, for mutants.h
#
# A compiler needs longer to start than to compile one mutant more, so they share a file: each is the text of its step in a
# namespace of its own, with the includes of all of them above.  What is to be replaced must be there exactly once: a step
# that has changed says so here.
function text_of(files,    name, count, i, line, text) {
    count = split(files, name, " ")
    for (i = 1; i <= count; i++) {
        if ((getline line < name[i]) <= 0) stop(files ": no file " name[i])
        do text = text line "\n"; while ((getline line < name[i]) > 0)
        close(name[i])
    }
    return text
}
function stop(why) {
    print FILENAME ": " why > "/dev/stderr"
    exit failed = 1
}
function quoted(text) {
    gsub(/["\\]/, "\\\\&", text)
    return "\"" text "\""
}
# text with all `from`, which is no pattern, replaced by `to`
function replaced(text, from, to,    at, done) {
    while ((at = index(text, from))) {
        done = done substr(text, 1, at - 1) to
        text = substr(text, at + length(from))
    }
    return done text
}
# text with `from`, which it has once, replaced by `to`
function broken(text, from, to, k,    at) {
    at = index(text, from)
    if (from == "" || !at || index(substr(text, at + 1), from))
        stop("\"" name[k] "\": " where[k] " must have \"" from "\" once")
    return substr(text, 1, at - 1) to substr(text, at + length(from))
}
# \n in the list ends a line, so that lines which are there more than once can be told apart.
function lines_of(text) { return replaced(text, "\\n", "\n") }
# The mutant's step, reduce_v4, becomes mutant_K, with all names that begin so.
function renamed(text, step, k) {
    text = replaced(text, step "_", "mutant_" k "_")
    text = replaced(text, step "(", "mutant_" k "(")
    text = replaced(text, step ")", "mutant_" k ")")
    return replaced(text, step ",", "mutant_" k ",")
}
# Includes to the top, once each; the rest in a namespace, at whose end the macros go.
function put(text, k,    line, count, i, word, macros) {
    count = split(text, line, "\n")
    body = body "\nnamespace mutant_" k " { // " name[k] "\n"
    for (i = 1; i <= count; i++) {
        if (line[i] ~ /^#include /) {
            if (!(line[i] in included)) head = head line[i] "\n"
            included[line[i]] = 1
            continue
        }
        split(line[i], word, /[ (]/)
        if (word[1] == "#define") macros = macros "#undef " word[2] "\n"
        body = body line[i] "\n"
    }
    body = body macros "}\n"
}
/^== / { part = $2; next }
/^= / { part_of[n + 1] = part; name[++n] = substr($0, 3); next }
/^@ / { where[n] = substr($0, 3); next }
/^\? / { on[n] = substr($0, 3); next }
/^! / { word[n] = substr($0, 3); next }
/^~ / { also[n] = substr($0, 3); next }
/^- / { old[n, ++pairs[n]] = lines_of(substr($0, 3)); next }
/^\+/ { new[n, pairs[n]] = lines_of(substr($0, 3)); next }
/^%/ { types = types substr($0, 3) "\n"; next }
NF && !/^#/ { stop(FNR ": what is this?") }
END {
    if (failed) exit 1
    for (k = 1; k <= n; k++) {
        if (PART && part_of[k] != PART) continue
        text = text_of(where[k])
        if (!pairs[k]) stop("\"" name[k] "\": nothing is broken")
        for (i = 1; i <= pairs[k]; i++) text = broken(text, old[k, i], new[k, i], k)
        match(where[k], /v[0-9]+_/)
        id = substr(where[k], RSTART, RLENGTH - 1)
        sub(/^v0/, "v", id)
        if (!match(text, "[a-z]+_([a-z]+_)*" id "[_(]")) stop("\"" name[k] "\": " where[k] " has no " id)
        step = substr(text, RSTART, RLENGTH - 1)
        if (!PART) {
            only_simt = sub(/^simt /, "", on[k])
            run = text ~ step "[(),]" ? "mutant_" k : step
            printf "MUTANT(%d, \"%s\", %s, %s, %d, %s, %s)\n", k, id, quoted(name[k]), quoted(on[k]), only_simt, quoted(word[k]), run
            if (index(text, "LOAD_BALANCE_PLAN(" step "_plan,")) printf "MUTANT_PLAN(%d)\n", k
            continue
        }
        if (also[k]) text = replaced(text, also[k], "mutant_" k "_" also[k])
        put(renamed(text, step, k), k)
    }
    printf "%s%s%s", head, PART ? types : "", body
}
