#!/bin/sh
# check_practice.sh [NAME...]: tests the small exercises (docs/practice.md): each is unsolved at first, its solution
# solves it, and one thread that does all work does not; make watch, hint and progress; the time of an attempt.
course=$(cd "$(dirname "$0")/../../.." && pwd)
case ${1-} in
--one) ;;
*)
    # shellcheck source=common/workshop/tests/tally.sh
    . common/workshop/tests/tally.sh
    ;;
esac

# room FOLDER: makes a course in FOLDER, with links to this one and an empty work/.
room() {
    mkdir -p "$1/build/simt/bin" "$1/build/simt/practice" "$1/build/simt/common" && cd "$1" || exit 2
    ln -s "$course"/0?_* "$course/common" .
    ln -s "$course/build/simt/bin/practice" "$course/build/simt/bin/translate" build/simt/bin/
    ln -s "$course"/build/simt/common/prefix.hpp* build/simt/common/
    for f in flags runner.o data.o libcommon.a; do ln -s "$course/build/simt/practice/$f" build/simt/practice/; done
}
practice() { build/simt/bin/practice "$@"; }
# tried STATUS WORDS: trying the current exercise gives that status and prints the words.
tried() {
    practice try >said 2>&1 </dev/null
    got=$?
    if [ $got -ne "$1" ] || ! grep -q -e "$2" said; then
        echo "$name: status $got, expected $1 and \"$2\""
        sed 's/^/    /' said
        return 1
    fi
}

# --one FILE FOLDER: tests one exercise and prints the seconds of an attempt.
if [ "${1-}" = --one ]; then
    chapter=${2%%_*} name=$(basename "$2" .cu)
    number=${name#p} number=${number%%_*}
    place=$(mktemp -d) || exit 2
    trap 'rm -rf "$place"' EXIT; trap 'exit 130' HUP INT TERM
    room "$place/$name"
    export PRACTICE_TIME=yes
    go() { practice -n "${chapter#0}" -e "$number" --seed 0 try >said 2>&1; }
    copy=work/$chapter/$name.cu kind=$(sed -n 's/^ \* Kind    //p' "$course/$2")
    family=$(sed -n 's/^ \* Data    \([a-z_]*\) .*/\1/p' "$course/$2")
    go
    awk '/^ \* Hint / { if (!hints++) print " * Hints   make hint"; next } /^ \*\// { hints = 0 } hints && /^ \*         / { next } { print }' \
        "$course/$2" >given
    cmp -s "$copy" given || grep -q DRAW "$course/$2" || { echo "$name: the copy is another file, or has its hints"; exit 1; }
    tried 1 'not yet' || { echo "$name: solved as it ships"; exit 1; }
    seconds=$(sed -n 's/.*answered in \([0-9.]*\) s, \([0-9.]*\) s.*/\1 \2/p' said)
    case $kind in
    predict | choose)
        sed -i 's/\(answer: [a-z_]* =\) ?/\1 0/' "$copy"
        tried 1 'not yet' || { echo "$name: answers of 0 are taken"; exit 1; }
        ;;
    *)
        sed "s/FAMILY/$family/" "$course/common/classroom/practice/tests/one_thread.cu" >"$copy"
        tried 1 'one warp\|not yet' || { echo "$name: one thread may do it all"; exit 1; }
        ! grep -q 'error:\|simt:\|expected' said || { echo "$name: one_thread.cu does not answer it:"; cat said; exit 1; }
        ;;
    esac
    cp "$3/${chapter}_$name.cu" "$copy"
    tried 0 'solved' || { echo "$name: the solution is not one"; exit 1; }
    echo "seconds $seconds $chapter/$name"
    exit 0
fi

make --no-print-directory -s -C "$course" practicing >"$place/log" 2>&1 || { cat "$place/log"; exit 1; }
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
room "$place/room"
name=room
check 'make solutions unpacks all solutions' practice solutions "$place/solutions"

# All exercises, one per processor at a time.
each() {
    cd "$course" || return 1
    # shellcheck disable=SC2086 # names without blanks
    printf '%s\n' ${names:-0?_*/practice/p*.cu} | xargs -P "$(nproc 2>/dev/null || echo 2)" -I{} "$course/common/classroom/tests/check_practice.sh" --one {} "$place/solutions" >"$place/each"
    ended=$?
    grep -v '^seconds' "$place/each"
    cd "$place/room" || return 1
    return $ended
}
names=$*
check 'each exercise is unsolved at first, and its solution solves it' each
[ -n "$names" ] || {
    of_kind() { # every chapter has 5 to 7, of all four kinds
        for c in "$course"/0?_*; do
            n=$(printf '%s\n' "$c"/practice/p?_*.cu | wc -l)
            kinds=$(sed -n 's/^ \* Kind    //p' "$c"/practice/*.cu | sort -u | wc -l)
            if [ "$n" -lt 5 ] || [ "$n" -gt 7 ] || [ "$kinds" -ne 4 ]; then
                echo "$c: $n exercises of $kinds kinds"
                return 1
            fi
        done
    }
    check 'each chapter has five to seven exercises of four kinds' of_kind
}
# Measured in processor time, because other programs may run.
quick() { awk '$1 == "seconds" && $3 > 2 { print $4 ": " $3 " s"; slow = 1 } END { exit slow }' "$place/each"; }
check 'an attempt takes at most two seconds of processor time' quick
awk '$1 == "seconds" { n++; s += $2; if ($2 > most) most = $2; if ($3 > work) work = $3 }
    END { if (n) printf "answers: %d, %.2f s in the mean, %.2f s at most, %.2f s of processors\n", n, s / n, most, work }' "$place/each"

# ---- a learner's way through the exercises -------------------------------------------------------

begins() {
    tried 1 'Edit that file' && ! grep -q 'Hint  ' work/01/p1_tail.cu && grep -q ' Hints   make hint' work/01/p1_tail.cu && [ -e work/01/p1_tail.cu ] && grep -q '^current 01/p1_tail' work/progress &&
        tried 1 'work/01/p1_tail.cu:[0-9]*:  out\[i\]' && tried 1 'make hint'
}
check 'the first attempt names the line with the fault' begins
hints() {
    ends 0 'hint 1' practice hint && ends 0 'hint 2' practice hint && ends 0 'These are all the hints' practice hint &&
        grep -q 'if (i < n)' "$place/out" && grep -q '^01/p1_tail open 0 3 ' work/progress # trying the unchanged file twice is no attempt
}
check 'three hints are shown and counted' hints
compiler() {
    sed -i 's/out\[i\] = in\[i\];/out[i] = in[i]/' work/01/p1_tail.cu
    tried 1 'work/01/p1_tail.cu:[0-9]*:.* error: ' && [ "$(grep -c ' error: ' said)" -eq 1 ]
}
check 'only the first error of the compiler is shown' compiler
solves() {
    cp "$place/solutions/01_p1_tail.cu" work/01/p1_tail.cu
    tried 0 'solved' && grep -q 'yours *course' said && grep -q '^current 01/p2_' work/progress && [ -e work/01/p2_neighbours.cu ]
}
attempts() { grep -q '^01/p1_tail done 2 3 ' work/progress; } # the file that did not compile, and this one
check 'a solved exercise shows the counts of the solution and starts the next one' solves
check 'an unchanged file does not count as another attempt' attempts
words() { # a short result in full, the name of the parameter, the case in words
    practice -n 2 -e 1 --seed 0 try >/dev/null
    tried 1 '^    out\[4\] was never written' && grep -q '^      yours .* - *-$' said && grep -q '^      expected ' said &&
        grep -q '^      with 6 numbers$' said || return 1
    practice -n 4 -e 1 --seed 0 try >/dev/null
    sed -i 's/+= p.values/= p.values/' work/04/p1_coo.cu
    tried 1 'y\[[0-9]*\] is\|y\[[0-9]*\] was\|two lanes\|race\|y' && grep -q 'with the sparse matrix random:4,6,8' said
}
check 'messages describe the case in words and print short results completely' words
cheats() {
    practice -n 1 -e 1 --again try >said 2>&1
    cp "$course/common/classroom/practice/tests/from_the_host.cu" work/01/p1_tail.cu
    tried 1 'poisoned' || return 1
    cp "$course/common/classroom/practice/tests/zeros.cu" work/01/p1_tail.cu
    tried 1 'out\[0\] is 0'
}
check 'copying on the host and zeros are no solution' cheats
drawn() { # fresh numbers, and only answers are the learner's
    practice -n 1 -e 4 --seed 1 try >/dev/null
    for seed in 2 3 4 5 6 7 8; do
        practice -n 1 -e 4 --again --seed $seed try >/dev/null
        cmp -s work/01/p4_stride.cu work/01/p4_stride.cu.old || break
        [ $seed -lt 8 ] || { echo 'always the same numbers'; return 1; }
    done
    sed -i 's/STRIDE = [0-9]*/STRIDE = 1/' work/01/p4_stride.cu
    tried 1 'was changed'
    practice -n 1 -e 4 --again --seed 0 try >/dev/null
    sed -i 's/ld_sectors = ?/ld_sectors = 7/' work/01/p4_stride.cu
    tried 1 'the count is larger' && ! grep -q '\<8\>   ' said && [ -e work/01/p4_stride.cu.old2 ] # every earlier copy is kept
}
check 'numbers are random, and a wrong answer is told only the direction' drawn
soon() { # COMMAND...: becomes true within a minute; an attempt takes one second, or ten on a busy machine
    for _ in $(seq 120); do
        ! "$@" || return 0
        sleep 0.5
    done
    return 1
}
watched() { # a saved file is tried, with or without inotifywait
    practice -n 1 -e 2 --again try >/dev/null
    timeout 120 build/simt/bin/practice watch >watched 2>&1 &
    watcher=$!
    soon grep -q watching watched && cp "$place/solutions/01_p2_neighbours.cu" work/01/p2_neighbours.cu &&
        soon grep -q 'yours *course' watched
    seen=$?
    kill $watcher
    cat watched
    return $seen
}
check 'make watch tries a file when it is saved' watched
lists() { ends 0 'x 2  repair' practice progress && ends 0 '> 3  repair' practice progress && ends 2 'no exercise 9' practice -n 1 -e 9 try; }
check 'make progress lists the exercises' lists
meanwhile() { # a file that is saved during an attempt is tried afterwards
    practice -n 1 -e 1 --again try >/dev/null
    mkdir -p slow
    # shellcheck disable=SC2016 # for the script
    printf '#!/bin/sh\n%s "$@"; status=$?; echo >>%s/slow/compiled; sleep 1; exit $status\n' \
        "$(command -v g++)" "$PWD" >slow/g++
    chmod +x slow/g++ && rm -f slow/compiled
    PATH="$PWD/slow:$PATH" timeout 120 build/simt/bin/practice watch >meanwhile 2>&1 &
    watcher=$!
    soon test -e slow/compiled && cp "$place/solutions/01_p1_tail.cu" work/01/p1_tail.cu && soon grep -q '^  solved' meanwhile
    seen=$?
    kill $watcher
    cat meanwhile
    return $seen
}
check 'make watch tries a file that was saved during an attempt' meanwhile
tally
