# table.awk - the cells of a picture of bars.  Of a record: a line for each case, its name and a cell for each step; with by=step a
# line for each step and a cell for each case.  Variables:
#   type     fp32, fp64; without it every type is a case of its own
#   steps    names, v26 or v26@fp32; ~REGEX is the largest of all that match, <REGEX the smallest.  By step: all of kind
#            gpu, if there are none
#   cases    a regular expression, if not all are wanted
#   value    a column, or A+B; divided by another, A/B or /B; times a number (times)
#   full     1: a case's whole name, with its size
# A cell without a value says why: what the status says, shortened, or `not recorded`.  A line without any row is left out.
function short_name(s) {
    sub(/\(.*/, "", s)
    if (s !~ /^(like|dense):/) sub(/:.*/, "", s)
    return s
}
function why(s) {
    sub(/^skip: /, "", s)
    sub(/.* needs /, "needs ", s)
    sub(/[,:].*/, "", s)
    return s
}
# The sum of columns named a+b; "-" if one is not there.
function sum(names,    k, column, n, total) {
    n = split(names, column, "+")
    for (k = 1; k <= n; k++) { if ($at[column[k]] == "-") return "-"; total += $at[column[k]] }
    return total
}
function cell(    above, below) {
    if ($at["status"] != "ok") return why($at["status"])
    above = part[1] == "" ? 1 : sum(part[1])
    below = parts == 1 ? 1 : sum(part[2])
    return above == "-" || below == "-" || below == 0 ? "not recorded" : above / below * (times ? times : 1)
}
# The best of several is kept; a value before a reason.
function put(c, s, v) {
    if (!(c in seen)) { seen[c] = 1; order[++n] = c }
    if (!((c, s) in got) || got[c, s] !~ /^[0-9]/ || v ~ /^[0-9]/ && (s ~ /^</ ? v + 0 < got[c, s] + 0 : v + 0 > got[c, s] + 0)) got[c, s] = v
}
BEGIN {
    FS = OFS = "\t"
    wanted = split(steps, step, " "); parts = split(value, part, "/")
    for (i = 1; i <= wanted; i++) { name[i] = step[i]; sub(/@.*/, "", name[i]) }
}
/^#/ { next }
$1 == "chapter" { for (i = 1; i <= NF; i++) at[$i] = i; next }
type != "" && $at["dtype"] != type || $at["case"] !~ cases { next }
{
    c = $at["case"]
    if (!wanted && $at["kind"] == "gpu" && $at["status"] == "ok" && !($at["step"] in all)) { all[$at["step"]] = 1; step[++all_steps] = $at["step"] }
    if (!wanted && $at["step"] in all) put(c, $at["step"], cell())
    for (i = 1; i <= wanted; i++)
        if (step[i] ~ /@/ && step[i] !~ $at["dtype"]) continue
        else if (name[i] == $at["step"] || name[i] ~ /^[~<]/ && $at["step"] ~ substr(name[i], 2)) put(c, step[i], cell())
}
END {
    if (!wanted) wanted = all_steps
    for (i = 1; i <= (by == "step" ? wanted : n); i++) {
        line = by == "step" ? step[i] : full ? order[i] : short_name(order[i])
        for (j = 1; j <= (by == "step" ? n : wanted); j++) {
            c = by == "step" ? order[j] : order[i]; s = by == "step" ? step[i] : step[j]
            line = line OFS ((c, s) in got ? got[c, s] : "not recorded")
            if ((c, s) in got) shown[i] = 1
        }
        if (i in shown) print line
    }
}
