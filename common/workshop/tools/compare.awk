# compare.awk A.tsv B.tsv: prints ratios of the rows that both results files have, and which differences are noise.
#
# Times (cold_us): the spread column is half the inter-quartile range in percent of the median, so two times differ beyond noise if
# their distance is more than the sum of their half ranges.  Counts (ld_sectors) have no noise.  Only rows that are ok in both files
# have a ratio; rows that are ok in only one file are named.  The environment variables A and B have the displayed names.
BEGIN { FS = "\t"; files = 0 }
FNR == 1 { files++; header = 0 }
/^# / {
    split($0, pair, ": "); key = substr(pair[1], 3)
    meta[files, key] = substr($0, length(pair[1]) + 3)
    next
}
/^#/ || NF == 0 { next }
!header {
    for (i = 1; i <= NF; i++) at[files, $i] = i
    columns[files] = NF
    header = 1
    next
}
NF < columns[files] {
    printf "compare: %s line %d has %d columns of %d and is left out\n", ENVIRON[files == 1 ? "A" : "B"], FNR, NF, columns[files] > "/dev/stderr"
    next
}
{
    row = get("step") SUBSEP get("case") SUBSEP get("dtype")
    if (!((files, row) in status)) { n[files]++; order[files, n[files]] = row }
    status[files, row] = get("status")
    time[files, row] = get("cold_us")
    spread[files, row] = get("spread_pct")
    sectors[files, row] = get("ld_sectors")
}
function get(name) { return (files, name) in at ? $at[files, name] : "-" }
function number(text) { return text ~ /^[0-9.]+([eE][-+]?[0-9]+)?$/ }
function label(row,  part) { split(row, part, SUBSEP); return sprintf("%-14s %-34s %-5s", part[1], part[2], part[3]) }
function head() {
    if (printed++) return
    printf "%-14s %-34s %-5s  %12s %12s  %8s  %6s  %s\n", "step", "case", "dtype", "A", "B", "B / A", "+-%", ""
}
END {
    if (files < 2) exit
    print "A: " ENVIRON["A"] describe(1)
    print "B: " ENVIRON["B"] describe(2)
    split("gpu backend driver toolkit flags seed", keys, " ")
    for (i = 1; i <= 6; i++)
        if (meta[1, keys[i]] != meta[2, keys[i]]) printf "   differs: %s (%s | %s)\n", keys[i], shown(1, keys[i]), shown(2, keys[i])
    print ""
    for (i = 1; i <= n[1]; i++) {
        row = order[1, i]
        if (!((2, row) in status)) { alone[1] = alone[1] "\n  " label(row); count[1]++; continue }
        if (status[1, row] != "ok" || status[2, row] != "ok") {
            if (status[1, row] != status[2, row]) changed = changed "\n  " label(row) "  A: " status[1, row] "   B: " status[2, row]
            continue
        }
        compare_row(row)
    }
    for (i = 1; i <= n[2]; i++) {
        row = order[2, i]
        if (!((1, row) in status)) { alone[2] = alone[2] "\n  " label(row); count[2]++ }
    }
    if (!printed) print "no row has a time or counts in both"
    else {
        if (timed) printf "\ntimes: %d rows, B / A in the geometric mean %.3f; %d slower, %d faster, %d within noise\n", timed, exp(sum / timed), slower, faster, noise
        if (counted) printf "%ssectors loaded: %d rows, %d differ\n", timed ? "" : "\n", counted, moved
    }
    if (changed) print "\nstatus changed:" changed
    if (alone[1]) print "\nonly in A (" count[1] "):" alone[1]
    if (alone[2]) print "\nonly in B (" count[2] "):" alone[2]
}
function shown(f, key) { return meta[f, key] == "" ? "-" : substr(meta[f, key], 1, 60) }
function describe(f) { return "   " shown(f, "gpu") ", commit " shown(f, "commit") ", " shown(f, "date") }
function compare_row(row,  a, b, sa, sb, apart, both, word) {
    a = time[1, row]; b = time[2, row]
    if (number(a) && number(b) && a > 0 && b > 0) {
        sa = number(spread[1, row]) ? spread[1, row] : 0
        sb = number(spread[2, row]) ? spread[2, row] : 0
        both = (sa * a + sb * b) / 100
        apart = b > a ? b - a : a - b
        word = apart <= both ? "noise" : b > a ? "slower" : "faster"
        if (apart <= both) noise++
        else if (b > a) slower++
        else faster++
        timed++; sum += log(b / a)
        head()
        printf "%s  %9.3f us %9.3f us  %8.3f  %6.1f  %s\n", label(row), a, b, b / a, 100 * both / a, word
        return
    }
    a = sectors[1, row]; b = sectors[2, row]
    if (!number(a) || !number(b)) return
    counted++
    if (a != b) moved++
    head()
    printf "%s  %7d sect %7d sect  %8s  %6s  %s\n", label(row), a, b, (a > 0 ? sprintf("%.3f", b / a) : "-"), "0", (a == b ? "same" : b > a ? "more" : "fewer")
}
