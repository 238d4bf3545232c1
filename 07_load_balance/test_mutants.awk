# test_mutants.awk - breaks steps as test_mutants.txt says.
#
#   awk -v K=3 -f test_mutants.awk test_mutants.txt     the third mutant, its step's names changed to mutant_3
#   awk -v K=0 -f test_mutants.awk test_mutants.txt     a line for each, for test_load_balance.c
#
# What is to be replaced must be there exactly once: a step that has changed says so here.
function text_of(files,    name, count, i, line, text) {
    count = split(files, name, " ")
    for (i = 1; i <= count; i++) {
        while ((getline line < name[i]) > 0) text = text line "\n"
        close(name[i])
    }
    return text
}
/^= / { name[++n] = substr($0, 3); next }
/^@ / { where[n] = substr($0, 3); next }
/^\? / { recipe[n] = substr($0, 3); next }
/^- / { old[n] = substr($0, 3); next }
/^\+/ { new[n] = substr($0, 3); next }
NF && !/^#/ { print FILENAME ":" FNR ": what is this?" > "/dev/stderr"; exit failed = 1 }
END {
    if (failed) exit 1
    for (k = 1; k <= n; k++) {
        if (K && K != k) continue
        text = text_of(where[k])
        at = index(text, old[k])
        if (old[k] == "" || !at || index(substr(text, at + 1), old[k])) {
            print "test_mutants.txt: \"" name[k] "\": " where[k] " must have \"" old[k] "\" once" > "/dev/stderr"
            exit 1
        }
        match(where[k], /v[0-9]+_/)
        id = substr(where[k], RSTART, RLENGTH - 1)
        sub(/^v0/, "v", id)
        step = "load_balance_" id
        own_step = index(text, "LOAD_BALANCE_STEP(" step ")")
        own_plan = index(text, " " step "_plan =")
        if (K == 0) {
            only_simt = sub(/^simt /, "", recipe[k])
            plan = own_plan ? "&mutant_" k "_plan" : index(text_of("steps.def"), "PLANNED(" id ",") ? "&" step "_plan" : "NULL"
            printf "MUTANT(\"%s\", \"%s\", %d, %s, %s, %s)\n", name[k], recipe[k], only_simt, own_step ? "mutant_" k : step, \
                   plan, own_plan ? "mutant_" k "_plan" : step "_plan"
            continue
        }
        text = substr(text, 1, at - 1) new[k] substr(text, at + length(old[k]))
        gsub("\nconst load_balance_plan_ops_t", "\nextern \"C\" const load_balance_plan_ops_t", text)
        gsub(step "_plan", "mutant_" k "_plan", text)
        gsub(step "_", "mutant_" k "_", text)
        gsub("LOAD_BALANCE_STEP\\(" step "\\)", "LOAD_BALANCE_STEP(mutant_" k ")", text)
        if (where[k] ~ /v08_[a-z_]*_plan/) gsub("add_carries", "add_carries_mutant_" k, text)
        printf "%s", text
    }
}
