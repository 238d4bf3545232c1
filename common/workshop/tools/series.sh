#!/bin/sh
# series.sh: writes a chapter as a git history, one commit per step, each on a branch from the step from which it is derived.
#   series.sh write CHAPTER FOLDER   makes FOLDER, a git repository: `git log -p` there is the chapter
#   series.sh put CHAPTER            called there: copies the step of this commit to build/course, a copy of the course;
#                                    TAKEN=yes: with the course's objects, if all code of the step is the course's
# A step's file loses its head comment, which becomes the commit's message, and its number: reduce_v3_kernel becomes
# reduce_vN_kernel, so that a commit shows only the change of its step.  d_csr5/v07_csr5.cu becomes step.cu, d_csr5/v07_csr5_plan.h
# becomes step_plan.h.
set -eu
course=$(cd "$(dirname "$0")/../../.." && pwd)
fail() { echo "series: $1" >&2; exit "${2:-1}"; }

# ---- names --------------------------------------------------------------------------------------
role() { echo "$1" | sed 's|^.*/||; s|^v[0-9]*_[^.]*_plan\.|step_plan.|; s|^v[0-9]*_[^.]*\.|step.|'; }
numbered() { sed -E "s/(^|[^A-Za-z0-9])$1([^A-Za-z0-9]|\$)/\\1$2\\2/g; s/(^|[^A-Za-z0-9])$1([^A-Za-z0-9]|\$)/\\1$2\\2/g"; }
# own_name FILE: replaces includes of its own plan by the name in the history; the second function reverses this.
own_name() { stem=${1%.*} && stem=${stem%_plan} && sed "s|\"\([a-z0-9_]*/\)*${stem##*/}_plan\.h\"|\"step_plan.h\"|"; }
course_name() {
    stem=${1%.*} && stem=${stem%_plan}
    case $1 in *.cu) ;; *) stem=${stem##*/} ;; esac # kernels are compiled in the chapter's folder
    sed "s|\"step_plan\.h\"|\"${stem}_plan.h\"|"
}
to_commit() { own_name "$1" | numbered "$2" vN; } # FILE v3
from_commit() { numbered vN "$2" | course_name "$1"; }
without_head() { case $(head -c 2 "$1") in '/*') awk 'after; /\*\// { after = 1 }' "$1" ;; *) cat "$1" ;; esac; }
head_of() { sed -n '4,/\*\//{ /\*\//d; s/^ \* \{0,1\}//; p; }' "$1"; }
files_of() { for f in "$1"_*.* "v0${1#v}"_*.* */"$1"_*.* */"v0${1#v}"_*.*; do [ ! -f "$f" ] || echo "$f"; done; }

# ---- write: in the chapter's folder -------------------------------------------------------------

# Prints a line for each host function of b_bins/v09_name_plan.c, with v9.
functions() {
    for f in [a-z]_*/v[0-9]*_plan.c; do
        [ ! -f "$f" ] || sed -nE "s|^[a-z].*[ *]([a-z0-9_]+)\\(.*|\\1 $(basename "$f" | sed 's/_.*//; s/^v0*/v/')|p" "$f"
    done
}

# Prints the steps whose host functions a step's files call.
calls() {
    # shellcheck disable=SC2046 # files, each a word
    grep -owhFf "$scratch/names" $(files_of "$1") |
        awk 'NR == FNR { of[$1] = of[$1] " " $2; next } { print of[$1] }' "$scratch/functions" - |
        tr ' ' '\n' | sort -u | tr '\n' ' '
}

# Prints the steps that a step's files call or include, and those that these need, and so on.
needs() {
    known=" $1 " new=$1
    while [ -n "$new" ]; do
        found=
        for v in $new; do
            found="$found $(calls "$v")"
            # shellcheck disable=SC2046 # files, each a word
            found="$found $(grep -ohE "#include \"([a-z0-9_./]+/)?v[0-9]+_|\\b${topic}_v[0-9]+(_plan)?\\b" $(files_of "$v") /dev/null | grep -oE 'v[0-9]+' | sed 's/^v0*/v/' | sort -u)"
        done
        new=
        for v in $found; do case $known in *" $v "*) ;; *) known="$known$v " new="$new $v" ;; esac; done
    done
    echo "$known" | tr ' ' '\n' | grep -vx "$1" | sed '/^$/d' | sort -uV | tr '\n' ' '
}

# Prints the time of the step's row for the largest input in a results file, and the speedup over the step from which it is derived.
recorded() {
    record=$course/plots/data/h200/$chapter.tsv
    [ -f "$record" ] || return 0
    awk -F '\t' -v step="$1" -v from="$2" '
        /^# gpu: / { gpu = substr($0, 8) }
        /^#/ { next }
        !at["step"] { for (i = 1; i <= NF; ++i) at[$i] = i; next }
        $at["kind"] == "gpu" && $at["status"] == "ok" {
            input = $at["case"] ", " $at["dtype"]
            if ($at["bytes"] + 0 > most + 0) { shown = input; most = $at["bytes"] }
            us[input, $at["step"]] = $at["cold_us"]
        }
        END {
            if (!((shown, step) in us)) exit
            printf "Recorded %s us on %s, %s, cold caches", us[shown, step], gpu, shown
            if ((shown, from) in us) printf "; %.2f times as fast as %s", us[shown, from] / us[shown, step], from
            print "."
        }' "$record"
}

commit_step() { # v3 FROM IDEA
    git -C "$folder" checkout -q --detach "$2"
    names=$(files_of "$1")
    for f in $names; do
        without_head "$f" | to_commit "$f" "$1" >"$folder/$(role "$f")"
        from_commit "$f" "$1" <"$folder/$(role "$f")" | cmp -s - "$scratch/$(echo "$f" | tr / -)" || fail "$chapter/$f does not come back from its commit"
    done
    {
        echo "$3"
        echo
        for f in $(files_of "$1" | grep '\.cu$' | grep -v '_plan\.cu$'); do head_of "$f" | sed '/^From /d'; done
        said=$(recorded "$1" "$2")
        [ -z "$said" ] || printf '\n%s\n' "$said" | fmt -w 72
        printf '\nStep: %s\nFiles: %s\n' "$1" "$(echo "$names" | tr '\n' ' ')"
        with=$(needs "$1")
        [ -z "$with" ] || echo "With: $with"
    } >"$scratch/message"
    git -C "$folder" add -A
    git -C "$folder" commit -q --allow-empty --cleanup=verbatim -F "$scratch/message"
    git -C "$folder" tag "$1"
}

write() {
    chapter=$1 folder=$2
    if [ -e "$folder" ] && [ -n "$(ls -A "$folder" 2>&1)" ]; then fail "$folder exists and is not empty" 73; fi
    command -v git >/dev/null 2>&1 || fail 'git is not installed (Debian: apt-get install git)'
    mkdir -p "$folder" || exit 73
    folder=$(cd "$folder" && pwd)
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT; trap 'exit 130' HUP INT TERM
    cd "$course/$chapter"
    topic=$(sed -n 's/^cudaError_t \([a-z_]*\)_student.*/\1/p' chapter.c)
    "$course/common/workshop/tools/steps.sh" list . >"$scratch/list"
    functions >"$scratch/functions"
    sed 's/ .*//' "$scratch/functions" >"$scratch/names"

    git -C "$folder" init -q -b main
    git -C "$folder" config user.name >/dev/null || git -C "$folder" config user.name 'The course'
    git -C "$folder" config user.email >/dev/null || git -C "$folder" config user.email 'course@localhost'
    sed "s/CHAPTER-OF-THE-COURSE/$chapter/g" "$course/common/workshop/tools/series.mk" >"$folder/Makefile"
    printf '/build/\n/course.mk\n' >"$folder/.gitignore"
    echo "COURSE := $course" >"$folder/course.mk"
    git -C "$folder" add Makefile .gitignore
    git -C "$folder" commit -q -m "$chapter: how a step is built, before the first" -m "$(sed -n 's/^ *\.doc = "\(.*\)",$/\1/p' chapter.c | fmt -w 72)"
    git -C "$folder" tag start

    total=$(wc -l <"$scratch/list") done=0
    while IFS='	' read -r v from lines _; do
        done=$((done + 1))
        for f in $(files_of "$v"); do without_head "$f" >"$scratch/$(echo "$f" | tr / -)"; done
        idea=$(sed -nE "s/^[A-Z_]+\\($v, *\"(.*)\",.*/\\1/p" steps.def | head -n 1)
        commit_step "$v" "$(echo "$from" | sed 's/^-$/start/')" "$(printf '%.2s %s: %s' "$chapter" "$v" "$idea" | cut -c 1-72)"
        printf '%3d of %d  %-4s from %-4s %3d lines  %s\n' $done "$total" "$v" "$from" "$lines" "$idea"
    done <"$scratch/list"
    v=$(tail -n 1 "$scratch/list" | cut -f 1)
    # Every step from which none is derived ends a branch; main is the branch of the last one.
    git -C "$folder" checkout -q -B main "$v"
    cut -f 1 "$scratch/list" | while read -r end; do
        if [ "$end" != "$v" ] && ! cut -f 2 "$scratch/list" | grep -qx "$end"; then git -C "$folder" branch "ends-at-$end" "$end"; fi
    done
    echo
    echo "$2: $total commits.  git log -p there shows the way to $v, git log --graph --oneline --all the branches;"
    echo "git checkout v1 goes to a step, make builds it, make run ARGS=\"--help\" runs it."
}

# ---- put: in the repository ---------------------------------------------------------------------

trailer() { git log -1 --format="%(trailers:key=$2,valueonly,separator=%x20)" "$1"; }
# Keeps the time of an unchanged file, even one that an earlier commit set aside, so that make builds only what the commit changes.
newer() { # CONTENT FILE
    if cmp -s "$1" "$2"; then return; fi
    mkdir -p "${2%/*}"
    if cmp -s "$1" "$aside/$2"; then mv "$aside/$2" "$2"; else cp "$1" "$2" && rm -f "$aside/$2"; fi
}

put_step() { # COMMIT, or nothing for the files in this folder
    v=$(trailer "${1:-$head}" Step)
    for f in $(trailer "${1:-$head}" Files); do
        if [ -n "$1" ]; then git show "$1:$(role "$f")"; else cat "$(role "$f")"; fi | from_commit "$f" "$v" >"$scratch/new"
        newer "$scratch/new" "$place/$f"
        echo "$f" >>"$scratch/there"
    done
}

put() {
    chapter=$1 place=build/course/$1 aside=build/aside
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT; trap 'exit 130' HUP INT TERM
    head=$(git log -1 --grep='^Step: v' --format=%H)
    [ -n "$head" ] || fail 'this commit contains no step: run git checkout v1'
    mkdir -p "$place" "$aside/$place" build/course/build/simt/bin
    ln -sfn "$course/common" build/course/common
    for f in "$course/$chapter"/*/; do
        case $f in */plan/ | */[a-z]_*/) ;; *) ln -sfn "$f" "$place/$(basename "$f")" ;; esac
    done
    for f in "$course"/build/simt/lib*.a; do ln -sf "$f" build/course/build/simt/; done
    ln -sf "$course/build/simt/bin/translate" build/course/build/simt/bin/
    mkdir -p build/course/build/simt/common
    ln -sf "$course"/build/simt/common/prefix.hpp* build/course/build/simt/common/
    cp -p "$course/build/simt/made_by" build/course/build/simt/
    (cd "$course/$chapter" && ls -d [!v]*.* v[!0-9]*.* Makefile plan/*.* 2>/dev/null) | grep -vx chapter.c |
        while read -r f; do
            newer "$course/$chapter/$f" "$place/$f"
        done
    : >"$scratch/there"
    put_step ''
    known=$v
    for other in $(trailer "$head" With); do put_step "$other"; known="$known|$other"; done
    find "$place" -name 'v[0-9]*_*' \( -path "$place/[a-z]_*/v*" -o -path "$place/v*" \) -printf '%P\n' |
        grep -vxFf "$scratch/there" | while read -r f; do mkdir -p "$(dirname "$aside/$place/$f")" && mv "$place/$f" "$aside/$place/$f"; done
    # The table and the prototypes contain only the steps of this commit.
    sed -E "/^(STEP|PLANNED|STEP_RULE|SAME)\\(/{ /^[A-Z_]+\\(($known),/!d; }" "$course/$chapter/steps.def" >"$scratch/new"
    newer "$scratch/new" "$place/here.def"
    sed 's/^#include "steps.def"/#include "here.def"/' "$course/$chapter/chapter.c" >"$scratch/new"
    newer "$scratch/new" "$place/chapter.c"
    # Code that belongs to no step is built in the course already.
    step='^none$'
    if [ "${TAKEN-}" = yes ] && same_code; then step=$(sed 's/\.[a-z]*$/.o/; s/.*/^&$/' "$scratch/there"); fi
    (cd "$course/build/simt/$chapter" && ls -d ./*.o plan/*.o [a-z]_*/*.o 2>/dev/null) | sed 's|^\./||' | while read -r f; do
        built=build/course/build/simt/$chapter/$f
        case $f in
        chapter.o | test_*) continue ;;
        v[0-9]* | [a-z]_*/v[0-9]*) echo "$f" | grep -q "$step" || continue ;;
        esac
        [ ! -e "$built" ] || continue
        mkdir -p "${built%/*}" && cp "$course/build/simt/$chapter/${f%o}"* "${built%/*}/" && touch "$built"
    done
}

code() { c++ -fpreprocessed -dD -E -P -x c++ "$1"; } # removes comments
same_code() {
    while read -r f; do
        code "$place/$f" >"$scratch/here" && code "$course/$chapter/$f" | cmp -s - "$scratch/here" || return 1
    done <"$scratch/there"
}

case $#,${1-} in
3,write) write "$2" "$3" ;;
2,put) put "$2" ;;
*) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 64 ;;
esac
