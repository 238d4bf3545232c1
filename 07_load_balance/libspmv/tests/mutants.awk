# mutants.awk - breaks the kernels as mutants.txt describes.
#
#   awk -v FILE=gpu_slices.cu -f mutants.awk mutants.txt gpu_slices.cu    prints the file, each mutant in it with a condition
#   awk -v FILE= -f mutants.awk mutants.txt                               prints names, files and matrices of all mutants, for mutants.c
#
# The code to be replaced must occur exactly once, so a kernel that has changed is reported.
FNR == 1 { file++ }
file > 1 { text[++lines] = $0; next }
/^= / { name[++n] = substr($0, 3); where[n] = in_file; next }
/^@ / { in_file = substr($0, 3); next }
/^\? / { on[n] = substr($0, 3); next }
/^  / && !(n in new) {
    old[n] = new[n] = substr($0, 3)
    gsub(/\{\+[^}]*\+\}/, "", old[n]); gsub(/\[-|-\]/, "", old[n])
    gsub(/\[-[^]]*-\]/, "", new[n]); gsub(/\{\+|\+\}/, "", new[n])
    next
}
NF && !/^#/ { print "mutants.txt:" FNR ": what is this?" > "/dev/stderr"; exit failed = 1 }
END {
    if (failed) exit 1
    for (k = 1; k <= n; k++) {
        if (where[k] == "" || old[k] == "" || !index(new[k], "MUTANT")) {
            print "mutants.txt: \"" name[k] "\" needs a file and a change with MUTANT" > "/dev/stderr"; exit 1
        }
        if (FILE == "") printf "{\"%s\", \"%s\", \"%s\"},\n", name[k], where[k], on[k]
        if (where[k] != FILE) continue
        found = 0
        for (i = 1; i <= lines; i++)
            for (from = 1; (at = index(substr(text[i], from), old[k])) > 0; from += at) { found++; line = i; place = from + at - 1 }
        if (found != 1) { print "mutants.txt: \"" name[k] "\": " FILE " has \"" old[k] "\" " found + 0 " times" > "/dev/stderr"; exit 1 }
        asked = new[k]
        while ((at = index(asked, "MUTANT")) > 0) asked = substr(asked, 1, at - 1) "(mutant() == " k ")" substr(asked, at + 6)
        text[line] = substr(text[line], 1, place - 1) asked substr(text[line], place + length(old[k]))
    }
    if (FILE != "") for (i = 1; i <= lines; i++) print text[i]
}
