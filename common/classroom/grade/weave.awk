# weave.awk - inserts a call of the simulator (simt/check/witness.cpp) before every memory access in the compiler's
# assembly that is not clearly in the function's own frame, and before every indirect call.  inspect_code.c finds the
# same instructions in the object and refuses what this program missed.  It also fills in the last byte of the nop.
/^\t[.]cfi_endproc/ { print "\tud2" } # stops after a call that never returns
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
