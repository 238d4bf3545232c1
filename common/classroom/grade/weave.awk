# weave.awk - puts a look of the simulator (simt/check/witness.cpp) in front of every access to memory in a compiler's assembly that is
# not plainly one to the function's own frame, and in front of every call of an address.  What it forgets or misunderstands is
# refused later: inspect_code.c looks for the same instructions in the object.  The last byte of the nop is filled in there.
/^\t[.]cfi_endproc/ { print "\tud2" } # who calls what never returns goes no further
/^\t[.]/ || !/^\t/ { print; next }
/^\t(lea|nop|prefetch)/ || /^\torq\t[$]0, \(%rsp\)$/ { print; next }
/^\tcall\t[*]/ {
    target = substr($0, 8)
    if (target ~ /\(/) look(target)
    printf "\tmovq\t%s, %%r11\n\tcall\tsimt_land\n\tcall\t*%%r11\n", target
    next
}
match($0, /[^ \t,*]*\([^()]*\)/) {
    place = substr($0, RSTART, RLENGTH)
    if (place !~ /^(-[0-9][0-9]?[0-9]?[0-9]?[(]%rbp|[.]LC[0-9]+[(]%rip)[)]$|mm[0-9]|^%st/) look(place)
}
{ print }
function look(place) { printf "\tleaq\t%s, %%r11\n\tcall\tsimt_look\n\t.byte\t0x0f, 0x1f, 0x40, 0\n", place }
