#!/bin/sh
# steps.sh WORD CHAPTER ...: the steps of a chapter, and the changes of each step compared with the step from which it is derived.
#   list CHAPTER            TSV: step, the step from which it is derived (-: none), code lines changed, idea, * if on the short path
#   diff CHAPTER V          compares step V with that step: the code, then the changes of the head comment
#   tree CHAPTER [RECORD]   all steps as a tree; with times if that results file exists
# A step's files begin with its number, and are in the chapter's folder or in an act: d_csr5/v07_csr5.cu, d_csr5/v07_csr5_plan.c.
# The rest of the name, .c or .plan.c, is the file's role.  A step is compared, role by role, with the step that its head comment
# names (From).
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 130' HUP INT TERM

tab=$(printf '\t')

# ---- the files of the steps ---------------------------------------------------------------------

# table: prints a line for each file of each step:
#   number, role, file; number and file with which it is compared; the step from which it is derived; idea; * on the short path
# A file is compared with the file of its role in the step that the head comment names, or in the nearest step before that has it.
table() {
    set --
    for f in v[0-9]*_*.* */v[0-9]*_*.*; do [ ! -f "$f" ] || set -- "$@" "$f"; done
    [ $# -gt 0 ] || return 0
    awk -v OFS='\t' '
        BEGIN {
            while ((getline line <"steps.def") > 0)
                if (line ~ /^[A-Z_]*\(v[0-9]+,.*\) \/\/ short$/) {
                    gsub(/^[A-Z_]*\(v|,.*/, "", line)
                    short[line] = "*"
                }
        }
        FNR == 1 {
            v = role = FILENAME
            sub(/.*\//, "", v); sub(/^v0*/, "", v); sub(/_.*/, "", v)
            sub(/.*\//, "", role); sub(/_plan\./, ".plan.", role); sub(/^v[0-9]*_[^.]*/, "", role)
            file[v, role] = FILENAME; number[++n] = v; role_of[n] = role
            head = role == ".cu"
        }
        head && FNR == 2 && match($0, /^ \* .* v[0-9]* - /) { idea[v] = substr($0, RLENGTH + 1) }
        head && /^ \* From +v[0-9]+$/ { from[v] = substr($3, 2) }
        /\*\// { head = 0 }
        END {
            for (i = 1; i <= n; i++) {
                v = number[i]
                role = role_of[i]
                for (u = from[v]; u != "" && !((u, role) in file); ) u = from[u]
                before = u == "" ? "-\t-" : u "\t" file[u, role]
                print v, role, file[v, role], before, from[v] == "" ? "-" : from[v], idea[v], short[v]
            }
        }' "$@" | sort -k 1,1n -k 2,2
}

# The head comment at the beginning of a file, and the rest of the file.
head_of() { case $(head -c 2 "$1") in '/*') sed '/\*\//q' "$1" ;; esac; }
body_of() { case $(head -c 2 "$1") in '/*') awk 'after; /\*\// { after = 1 }' "$1" ;; *) cat "$1" ;; esac; }
# The code of a file line by line, without comments and without leading and trailing blanks.
code_of() { ${CC:-cc} -fpreprocessed -dD -E -P -w -x c++ "$1" | sed 's/^[ 	]*//; s/[ 	]*$//; /^$/d'; }
# A new number and name of a step do not count as a change: renamed OLD-NUMBER NEW-NUMBER NEW-FILE
renamed() {
    stem=${3%.*} && stem=${stem%_plan}
    sed "s|\"v0*$1_[a-z0-9_]*_plan\.h\"|\"${stem##*/}_plan.h\"|; s|\"[a-z0-9_]*/v0*$1_[a-z0-9_]*_plan\.h\"|\"${stem}_plan.h\"|
        s/_v$1\\b/_v$2/g; s/\\bv0*$1_/v$2_/g; s/_v$1_/_v$2_/g"
}

# ---- list ---------------------------------------------------------------------------------------

# The number of lines that a step changes: the larger number of added or removed lines of its files; in the first step all lines.
list() {
    table >"$scratch/table"
    while IFS=$tab read -r v role new _; do code_of "$new" >"$scratch/$v$role"; done <"$scratch/table"
    while IFS=$tab read -r v role new u _; do
        echo "step $v"
        : >"$scratch/old"
        [ "$u" = - ] || renamed "$u" "$v" "$new" <"$scratch/$u$role" >"$scratch/old"
        diff -d "$scratch/old" "$scratch/$v$role" || :
    done <"$scratch/table" >"$scratch/changes"
    awk -F '\t' -v OFS='\t' '
        NR == FNR && $2 == ".cu" { step[++n] = $1; from[$1] = ($6 == "-" ? "" : "v") $6; idea[$1] = $7; short[$1] = $8 }
        NR == FNR { next }
        /^step / { v = substr($0, 6) }
        /^</ { removed[v]++ }
        /^>/ { added[v]++ }
        END {
            for (i = 1; i <= n; i++) {
                v = step[i]
                print "v" v, from[v], (added[v] > removed[v] ? added[v] : removed[v]) + 0, idea[v], short[v]
            }
        }' "$scratch/table" "$scratch/changes"
}

# ---- diff ---------------------------------------------------------------------------------------

# compare OLD NEW OFFSET-OLD OFFSET-NEW: compares two files in $scratch; line numbers are those of the original files
compare() {
    diff -ub --label "$1" --label "$2" "$scratch/old" "$scratch/new" | awk -v old="$3" -v new="$4" '
        function moved(range, by,   part, n) { n = split(range, part, ","); return part[1] + by (n > 1 ? "," part[2] : "") }
        /^@@ / { $2 = "-" moved(substr($2, 2), old); $3 = "+" moved(substr($3, 2), new) } { print }'
}

# kernel NUMBER: prints the file with a step's kernel
kernel() { awk -F '\t' -v v="$1" '$1 == v && $2 == ".cu" { print $3 }' "$scratch/table"; }

diff_step() {
    new=${1#v}
    case $new in '' | *[!0-9]*) echo "V=$1 must be the number of a step: make diff N=1 V=3" >&2; exit 64 ;; esac
    new=${new#"${new%%[!0]*}"}
    table >"$scratch/table"
    awk -F '\t' -v v="$new" '$1 == v' "$scratch/table" >"$scratch/files"
    if [ -z "$(kernel "$new")" ]; then
        { echo "$chapter has no step v${1#v}; it has:"; awk -F '\t' '$2 == ".cu" { print "  " $3 }' "$scratch/table"; } >&2
        exit 2
    fi
    old=$(head -n 1 "$scratch/files" | cut -f 6)
    if [ "$old" = - ]; then # the first step is shown completely
        while IFS=$tab read -r _ _ to _; do cat "$to"; done <"$scratch/files"
        return
    fi
    while IFS=$tab read -r _ _ to u from _; do
        before=0
        : >"$scratch/old"
        if [ "$from" = - ]; then
            from='(none)'
        else
            body_of "$from" | renamed "$u" "$new" "$to" >"$scratch/old"
            before=$(head_of "$from" | wc -l)
        fi
        body_of "$to" >"$scratch/new"
        compare "$chapter/$from" "$chapter/$to" "$before" "$(head_of "$to" | wc -l)"
    done <"$scratch/files"
    from=$(kernel "$old") to=$(kernel "$new")
    echo
    head_of "$from" >"$scratch/old"
    head_of "$to" >"$scratch/new"
    compare "$chapter/$from, what it says of itself" "$chapter/$to" 0 0
}

# ---- tree ---------------------------------------------------------------------------------------

# Times are those of the largest input.  The child with the most descendants continues in its parent's column; the
# others are indented.
tree() {
    list | awk -F '\t' '
        FNR == 1 { ++file }
        file == 1 { order[++n] = $1; parent[$1] = $2; lines[$1] = $3; idea[$1] = $4; short[$1] = $5; next }
        /^# gpu: / { gpu = substr($0, 8) }
        /^#/ { next }
        !at["step"] { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        $at["kind"] == "gpu" && $at["status"] == "ok" {
            input = $at["case"] ", " $at["dtype"]
            if ($at["bytes"] + 0 > most_bytes + 0) { shown = input; most_bytes = $at["bytes"] }
            us[input, $at["step"]] = $at["cold_us"]
        }
        function behind(v,   i, sum) { for (i = 1; i <= n; ++i) if (parent[order[i]] == v) sum += 1 + behind(order[i]); return sum + 0 }
        function show(v, indent,   i, c, on, most) {
            printf "%-12s %5d %9s  %s\n", indent v short[v], lines[v], (shown, v) in us ? us[shown, v] : "-", idea[v]
            most = -1
            for (i = 1; i <= n; ++i) if (parent[c = order[i]] == v && behind(c) > most) { most = behind(c); on = c }
            for (i = 1; i <= n; ++i) if (parent[c = order[i]] == v && c != on) show(c, indent "  ")
            if (on) show(on, indent)
        }
        END {
            printf "%-12s %5s %9s  %s\n", "step", "lines", "cold us", "idea"
            for (i = 1; i <= n; ++i) if (parent[order[i]] == "-") show(order[i], "")
            print "\nlines: lines of code that differ from the step above, or from the step under which it is indented"
            if (shown) print "times: " gpu ", " shown
            for (i = 1; i <= n; ++i) if (short[order[i]]) way = way (way ? ", " : "") order[i]
            if (way) print "*: for a short tour, read " way
        }' - "$1"
}

if [ $# -lt 2 ] || [ ! -d "$2" ]; then
    sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
    exit 64
fi
record=/dev/null
if [ "$1" = tree ] && [ -f "${3-}" ]; then record=$(realpath "$3"); fi
cd "$2"
chapter=$(basename "$PWD")
case $1 in
list) list ;;
diff) diff_step "${3-}" ;;
tree) tree "$record" ;;
*) echo "steps.sh: $1 must be list, diff or tree" >&2; exit 64 ;;
esac
