# report.awk - one record as HTML: what ran, the first MOST rows and every row that failed, then what was skipped, each reason
# once.  A column in which nothing stands is left out.  awk -v MOST=25 -v FILE=name -f docs/book/report.awk RECORD.tsv
BEGIN { FS = "\t" }
function html(s) { gsub(/&/, "\\&amp;", s); gsub(/</, "\\&lt;", s); gsub(/>/, "\\&gt;", s); return s }
# Three to four digits, whole counts untouched.
function pretty(v) {
    if (v !~ /^-?[0-9]+\.[0-9]+(e[-+]?[0-9]+)?$/ && v !~ /^-?[0-9.]+e[-+]?[0-9]+$/) return html(v)
    v += 0
    if (v == int(v) && v < 1e15) return sprintf("%.0f", v)
    if (v >= 1000 || v <= -1000) return sprintf("%.0f", v)
    if (v >= 100) return sprintf("%.1f", v)
    if (v >= 0.01) return sprintf("%.3g", v)
    return sprintf("%.2g", v)
}
/^# / { key = substr($0, 3); value = key; sub(/:.*/, "", key); sub(/^[^:]*: */, "", value); if (!(key in meta)) keys[++k] = key; meta[key] = value; next }
!columns { columns = NF; for (i = 1; i <= NF; i++) { name[i] = $i; if ($i == "status") status = i }; next }
{
    all++
    if (status && $status ~ /^skip/) {
        skipped++
        reason = substr($status, 7)
        if (!(reason in left)) reasons[++r_count] = reason
        if (!told[reason, $2]++) left[reason] = left[reason] (left[reason] == "" ? "" : ", ") $2
        next
    }
    if (rows >= MOST && $status !~ /^FAIL/) { if (status) ok++; next }
    rows++
    for (i = 1; i <= columns; i++) {
        cell[rows, i] = $i
        if ($i != "-" && $i != "") used[i] = 1
        if ($i !~ /^[-0-9.e+]*$/) text[i] = 1
        if (name[i] == "status") { if ($i ~ /^FAIL/) { failed++; bad[rows] = 1 } else ok++ }
    }
}
END {
    if (!columns) exit
    print "<p class=\"head\">"
    for (i = 1; i <= k; i++) if (keys[i] != "chapter" && keys[i] != "flags") print "<span><b>" keys[i] "</b> " html(meta[keys[i]]) "</span>"
    counts = ok + failed + skipped ? sprintf(": %d ok, %d failed, %d skipped", ok, failed, skipped) : ""
    if (all > rows + skipped) counts = counts "; " rows " are shown, all are in " html(FILE)
    print "<span><b>rows</b> " all + 0 counts "</span>"
    print "</p>\n<div class=\"rows\"><table><thead><tr>"
    for (i = 1; i <= columns; i++) if (used[i] && name[i] != "chapter") printf "<th%s>%s</th>", text[i] ? "" : " style=\"text-align: right\"", html(name[i])
    print "</tr></thead><tbody>"
    for (r = 1; r <= rows; r++) {
        printf bad[r] ? "<tr class=\"failed\">" : "<tr>"
        for (i = 1; i <= columns; i++)
            if (used[i] && name[i] != "chapter") printf "<td%s>%s</td>", text[i] ? "" : " style=\"text-align: right\"", pretty(cell[r, i])
        print "</tr>"
    }
    print "</tbody></table></div>"
    for (i = 1; i <= r_count; i++) print "<p class=\"head\">Skipped, " html(reasons[i]) ": " html(left[reasons[i]]) "</p>"
}
