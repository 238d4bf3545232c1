#!/bin/sh
# check_names.sh: files and folders may have any name: -delete, a blank, a line end, quotes, *.  Each script that takes a name gets
# all of these names, in a folder with a file that must not change.
# shellcheck source=common/workshop/tests/tally.sh
. "$(dirname "$0")/tally.sh"
course=$(pwd)
mkdir "$place/here" && cd "$place/here" || exit 1
ln -s "$course/common" "$course/plots" .
mkdir 01_reduce
cp "$course/01_reduce/exercise.cu" 01_reduce/

# every COMMAND...: runs the command with each name; afterwards all earlier files must exist
every() {
    # shellcheck disable=SC2016 # nothing of this may be expanded
    for coded in -delete -exec - -- -n -print0 --help 'a b' ' a ' 'a\nb' '\na' "it's" 'a"b' '*' '[a]' '$(touch it)' '`touch it`' \
        'a;touch it' 'a=b' 'a\\nb' '~' '!' '#' 'a%s' "@'{}" '\0033[2J' '\0377\0376' 'b&c|d>it'; do
        one "$coded" "$@" || return 1
    done
}
some() { # runs the command with a few names
    # shellcheck disable=SC2016 # the same
    for coded in -n 'a b\nc' "it's" '$(shell touch it)' '$(touch it)`touch it`' ';touch it' 'a$b'; do
        one "$coded" "$@" || return 1
    done
}
one() { # NAME COMMAND...
    coded=$1
    shift
    n=$(printf '%b.' "$coded") # the . keeps line ends, which $() would remove
    n=${n%.}
    rm -rf ./"$n" && echo mine >keep
    "$@" "$n" >"$place/said" 2>&1 || { cat "$place/said"; printf 'called %s\n' "$coded"; return 1; }
    if [ "$(cat keep)" != mine ] || [ ! -e 01_reduce/exercise.cu ] || [ -e it ] || [ -e "$course/it" ]; then
        printf '%s: something is gone or new\n' "$coded"
        return 1
    fi
    ! grep -q "$(printf '\033')" "$place/said" || { printf '%s: it is shown as it is\n' "$coded"; return 1; }
}

record() { printf 'chapter\tstep\tkind\tcase\tdtype\tcold_us\tspread_pct\tstatus\nc\tv1\tgpu\tn=1\tfp32\t%s\t1\tok\n' "$1" >./"$2"; }
compared() {
    record 100 "$1" && record 200 other || return 1
    ends 0 '2\.000' common/workshop/tools/compare.sh "$1" other && ends 0 '0\.500' common/workshop/tools/compare.sh other "$1" || return 1
    rm ./"$1" other
    ends 2 'does not exist' common/workshop/tools/compare.sh "$1" other
}
check 'make compare handles any file name' every compared

copied() {
    ends 0 'the statement' common/classroom/grade/exercise.sh 1 1 "$1" && cmp 01_reduce/exercise.cu ./"$1" || return 1
    echo worked >>./"$1"
    ends 1 'was changed' common/classroom/grade/exercise.sh 1 1 "$1" && rm ./"$1"
}
check 'make exercise handles any file name' every copied

# A fake grade gives every file 7 points.
mkdir -p build/simt/bin
cat >build/simt/bin/grade <<'END'
#!/bin/sh
row=
for word; do case $word in --row=*) row=${word#--row=} ;; esac; done
[ -e "$word" ] || exit 2 # the last argument is the file
printf '7\tpartial\t-\twhy\n' >"$row"
exit 1
END
chmod +x build/simt/bin/grade
tabled() {
    mkdir -p ./"$1" && echo one >./"$1"/e.cu && echo two >./"$1/$1.cu" || return 1
    ends 0 'leaderboard.csv' "$course/build/simt/bin/leaderboard" 1 1 "$1" 2 --build build/simt && cat build/leaderboard/*/leaderboard.csv &&
        [ "$(grep -c ',7,"partial"' build/leaderboard/*/leaderboard.csv)" -eq 2 ] && [ -e ./"$1/$1.cu" ] && rm -r build/leaderboard ./"$1"
}
check 'make leaderboard handles any file name' every tabled

# make must not expand $ in names, on the command line or in the environment.  A file that becomes part of a rule must be built or
# refused.
through_make() {
    record 100 "$1" && record 200 other || return 1
    ends 0 '2\.000' make -s --no-print-directory -C "$course" compare "A=$place/here/$1" "B=$place/here/other" || return 1
    A=$place/here/$1 B=$place/here/other ends 0 '2\.000' make -s --no-print-directory -C "$course" compare
}
check 'make passes any file name to compare unchanged' some through_make
compiled() {
    ends 2 "rename it\|No rule to make target\|No such file" make -s --no-print-directory -C "$course/01_reduce" BACKEND=simt "STUDENT=$1.cu" &&
        STUDENT=$1.cu ends 2 "rename it\|No rule to make target\|No such file" make -s --no-print-directory -C "$course/01_reduce" BACKEND=simt
}
check 'make run STUDENT= builds or refuses any file name' some compiled

tally
