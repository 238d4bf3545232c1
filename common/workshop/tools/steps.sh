#!/bin/sh
# steps.sh WORD CHAPTER ...: the steps of a chapter, and what each changes in the step from which it is derived.
#   list CHAPTER            TSV: step, the step it is from (-: none), code lines changed, idea, * if it is on the short way (steps.def)
#   diff CHAPTER V          compares step V with the step it is from: the code, then the changes of the head comment
#   tree CHAPTER [RECORD]   all steps as a tree; with times if that results file exists
# A step's files begin with its number, and lie in the chapter's folder or in one of its acts: d_csr5/v07_csr5.cu,
# d_csr5/v07_csr5_plan.c.  What stands behind its name, .c or .plan.c, is the file's role.
# A step is compared, role by role, with the step that its head comment names (From).
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT; trap 'exit 130' HUP INT TERM

# ---- a step, by its number ----------------------------------------------------------------------
kernels() { for f in v[0-9]*_*.cu [a-z]_*/v[0-9]*_*.cu; do case $f in *\** | *_plan.cu) ;; *) echo "$f" ;; esac; done; }
steps() { kernels | sed 's|^.*/||; s/^v0*\([0-9]*\)_.*/\1/' | sort -n; }
files() { for f in v"$1"_*.* v0"$1"_*.* */v"$1"_*.* */v0"$1"_*.*; do [ ! -f "$f" ] || echo "$f"; done; }
kernel() { files "$1" | grep '\.cu$' | grep -v '_plan\.cu$' || :; }
parent() { sed -n '1,/\*\//s/^ \* From  *v\([0-9]*\)$/\1/p' "$(kernel "$1")"; }
short() { [ ! -e steps.def ] || sed -n "s|^[A-Z_]*(v$1,.*) // short$|*|p" steps.def; }
idea() { sed -n '2s/^ \* .* v[0-9]* - //p' "$(kernel "$1")"; }
# the roles of one step or two, each once; the file of a step that has one of them, or nothing
role() { sed 's|^.*/||; s|_plan\.|.plan.|; s|^v[0-9]*_[^.]*||'; }
roles() { for v; do files "$v"; done | role | sort -u; }
number() { echo "$1" | sed 's|.*/||; s|^v0*\([0-9]*\)_.*|\1|'; }
with_role() { files "$1" | while IFS= read -r f; do [ "$(echo "$f" | role)" != "$2" ] || echo "$f"; done; }

# The file for a role that a step uses if it has none of its own: that of the nearest earlier step.
inherited() {
    v=$1
    while [ -n "$v" ]; do
        found=$(with_role "$v" "$2")
        [ -z "$found" ] || { echo "$found"; return; }
        v=$(parent "$v")
    done
}

# A head comment, where a file begins with one, and the rest.
head_of() { case $(head -c 2 "$1") in '/*') sed '/\*\//q' "$1" ;; esac; }
body_of() { case $(head -c 2 "$1") in '/*') awk 'after; /\*\// { after = 1 }' "$1" ;; *) cat "$1" ;; esac; }
# The code of a file without comments, line by line; leading and trailing blanks do not count.
code_of() { ${CC:-cc} -fpreprocessed -dD -E -P -w -x c++ "$1" | sed 's/^[ 	]*//; s/[ 	]*$//; /^$/d'; }
# A new number and name of a step do not count as a change: renamed OLD-FILE NEW-FILE
renamed() {
    set -- "$(number "$1")" "$(number "$2")" "$(echo "${2%.*}" | sed 's/_plan$//')"
    sed "s|\"v0*$1_[a-z0-9_]*_plan\.h\"|\"${3##*/}_plan.h\"|; s|\"[a-z0-9_]*/v0*$1_[a-z0-9_]*_plan\.h\"|\"$3_plan.h\"|
        s/_v$1\\b/_v$2/g; s/\\bv0*$1_/v$2_/g; s/_v$1_/_v$2_/g"
}

# ---- list ---------------------------------------------------------------------------------------

# lines_changed NEW [OLD]: the larger number of added or removed lines; all lines of NEW without OLD
lines_changed() {
    for role in $(roles "$@"); do
        new=$(with_role "$1" "$role") old=$([ $# -lt 2 ] || inherited "$2" "$role")
        [ -n "$new" ] || continue # its parent's, or none
        : >"$scratch/old"
        [ -z "$old" ] || code_of "$old" | renamed "$old" "$new" >"$scratch/old"
        code_of "$new" | diff -d "$scratch/old" - || :
    done | awk '/^</ { removed++ } /^>/ { added++ } END { print (added > removed ? added : removed) + 0 }'
}

list() {
    for v in $(steps); do
        from=$(parent "$v")
        # shellcheck disable=SC2086 # no word where there is no such step
        printf 'v%s\t%s\t%s\t%s\t%s\n' "$v" "${from:+v}${from:--}" "$(lines_changed "$v" ${from:-})" "$(idea "$v")" "$(short "$v")"
    done
}

# ---- diff ---------------------------------------------------------------------------------------

# compare OLD NEW OFFSET-OLD OFFSET-NEW: of two files in $scratch, with the line numbers of what they are parts of
compare() {
    diff -ub --label "$1" --label "$2" "$scratch/old" "$scratch/new" | awk -v old="$3" -v new="$4" '
        function moved(range, by,   part, n) { n = split(range, part, ","); return part[1] + by (n > 1 ? "," part[2] : "") }
        /^@@ / { $2 = "-" moved(substr($2, 2), old); $3 = "+" moved(substr($3, 2), new) } { print }'
}

diff_step() {
    new=${1#v}
    case $new in '' | *[!0-9]*) echo "V=$1 must be the number of a step: make diff N=1 V=3" >&2; exit 64 ;; esac
    if [ -z "$(kernel "$new")" ]; then
        { echo "$chapter has no step v$new; it has:"; kernels | sed 's/^/  /'; } >&2
        exit 2
    fi
    old=$(parent "$new")
    if [ -z "$old" ]; then # the first step is its own lesson
        files "$new" | while IFS= read -r f; do cat "$f"; done
        return
    fi
    for role in $(roles "$new" "$old"); do
        from=$(inherited "$old" "$role") to=$(with_role "$new" "$role") before=0
        [ -n "$to" ] || continue
        : >"$scratch/old"
        if [ -n "$from" ]; then
            body_of "$from" | renamed "$from" "$to" >"$scratch/old"
            before=$(head_of "$from" | wc -l)
        fi
        body_of "$to" >"$scratch/new"
        compare "$chapter/${from:-(none)}" "$chapter/$to" "$before" "$(head_of "$to" | wc -l)"
    done
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
        /^# gpu: / { card = substr($0, 8) }
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
            print "\nlines: of code, changed of the step above, or of the one it stands indented under"
            if (shown) print "times: " card ", " shown
            for (i = 1; i <= n; ++i) if (short[order[i]]) way = way (way ? ", " : "") order[i]
            if (way) print "*: in a hurry, read " way
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
