#!/bin/sh
# check_run.sh: tests what `make run` prints before, during and after the run; its exit status; STUDENT= files that cannot be built;
# which plots it draws.  Where results do not matter, three small scripts replace the chapters.
# shellcheck source=common/workshop/tests/tally.sh
. common/workshop/tests/tally.sh
unset STUDENT
top=$PWD

# made STATUS TEXT GOALS...: for check: make ends with STATUS and prints TEXT; its output folders are in $place.
made() { want=$1 text=$2; shift 2; ends "$want" "$text" timeout 120 make --no-print-directory BACKEND=simt RESULTS="$place/results" PICTURES="$place/plots" "$@"; }
says() { grep -q -e "$1" "$place/out" || { echo "it does not say: $1"; cat "$place/out"; return 1; }; }
silent() { ! grep -e "$1" "$place/out"; }
lines() { [ "$(wc -l <"$place/out")" -eq "$1" ] || { echo "not $1 lines:"; cat "$place/out"; return 1; }; }
last() { tail -n 1 "$place/out" | grep -q -e "$1" || { echo "the last line is not: $1"; tail -n 2 "$place/out"; return 1; }; }

# ---- STUDENT= files that cannot be built: one line, before anything is built ------------------------
student() { # WHAT FILE TEXT
    # shellcheck disable=SC2317 # called by check
    refused() { made 2 "$3" run N=1 STUDENT="$2" && lines 1; }
    check "STUDENT= is refused for $1" refused "$@"
}
mkdir "$place/folder" "$place/closed" "$place/a b"
echo '// no launcher' | tee "$place/none.cu" "$place/a b/x.cu" "$place/it's.cu" "$place/text" "$place/c:d.cu" >"$place/closed/x.cu"
mkfifo "$place/pipe.cu"
ln -s nothing "$place/dangling.cu"
student 'a file that is not there' nope.cu 'STUDENT=nope.cu: No such file'
student 'a link to nothing' "$place/dangling.cu" 'No such file'
student 'a folder' "$place/folder" 'this is a folder'
student 'a folder, with a slash' docs/ 'this is a folder'
student 'a pipe' "$place/pipe.cu" 'not a regular file'
student 'a file below a file' README.md/x.cu 'Not a directory'
printf '\377\376/\0/\0' >"$place/wide.cu"
student 'text in UTF-16' "$place/wide.cu" 'UTF-16 text: save it as UTF-8'
student 'another kind of file' "$place/text" 'a step is a .cu file'
student 'a step of another chapter' 02_memcpy_vectorized/exercise.cu 'so it is for chapter 2: make run N=2'
student 'blanks in its name' "$place/a b.cu" 'has blanks; rename'
student 'blanks in the name of its folder' "$place/a b/x.cu" 'has blanks; rename'
student 'a line end in its name' 'a
b.cu' 'has blanks; rename'
student 'a quote in its name' "$place/it's.cu" 'special character in its name'
student 'a colon in its name' "$place/c:d.cu" 'special character in its name'
# shellcheck disable=SC2016 # for make not to expand
student 'a call of make in its name' '$(shell${IFS}touch${IFS}'"$place"'/called).cu' 'special character in its name'
check "no part of the name of a student's file is run" [ ! -e "$place/called" ]
student 'a name of 300 characters' "$(printf '%0300d' 0).cu" 'File name too long'
chmod 000 "$place/closed/x.cu"
as_user() { "$@"; }
[ "$(id -u)" -ne 0 ] || as_user() { setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search "$@"; }
check "a student's file that cannot be read is refused" ends 0 'Permission denied' as_user common/workshop/tools/student.sh "$place/closed/x.cu"
misspelled() { made 2 'No goal uses ARG=' run N=1 ARG=--help && made 2 'No goal uses n=' run n=1 && made 0 . -n run N=1 ARGS=--help; }
check 'a variable that no makefile uses is refused' misspelled
check '--only refuses an unknown step' ends 64 "no step is called 'v55'" build/simt/bin/01_reduce --only v1,v55
check 'STUDENT= without a chapter is refused' made 2 'needs N=1' run STUDENT=01_reduce/exercise.cu
chapter_builds() { made 2 'No such file' chapter 1 STUDENT=nope.cu && lines 1 && made 2 'No such file' STUDENT=nope.cu && made 2 'No such file' 01_reduce STUDENT=nope.cu; }
check "the chapter's goals check STUDENT=, too" chapter_builds
check "a student's file without the launcher is refused" made 2 'the file does not define reduce_student' run N=1 STUDENT="$place/none.cu"

# ---- make chapter ----------------------------------------------------------------------------------
where() { made 0 . chapter 5 && made 0 'build/simt/bin/05_spmv_vector (--help' chapter 5 && lines 1 && says 'make run N=5'; }
check 'make chapter prints the path of the program' where

# ---- compilers and places ------------------------------------------------------------------------------
# compiler NAME VERSION WORDS: writes a script that behaves like another compiler
# shellcheck disable=SC2016 # for the script that is written
compiler() { printf '#!/bin/sh\ncase $1 in -dumpversion) echo %s ;; --version) echo "%s" ;; *) exec cc "$@" ;; esac\n' "$2" "$3" >"$place/$1" && chmod +x "$place/$1"; }
compiler clang++ 14.0.6 'Debian clang version 14.0.6'
compiler g++-11 11 'g++-11 (Debian 11.4.0-1) 11.4.0'
compiler cc-99 99 'cc-99 (Debian 99.1.0-1) 99.1.0'
check 'clang as CXX is refused' made 2 'needs g++ 12 or newer, and CXX=.*/clang++ is clang' chapter 1 CXX="$place/clang++"
check 'g++ 11 is refused' made 2 'needs g++ 12 or newer, and .*/g++-11 is g++ 11: install' chapter 1 CXX="$place/g++-11"
objects() { # TEXT, or nothing if nothing is built [CC=...]
    text=$1
    shift
    make --no-print-directory -C common BACKEND=simt BUILD="$place/b" "$@" "$place/b/common/lib/base/clock.o" "$place/b/common/simulator/predict/gpus.o" >"$place/out" 2>&1 || { cat "$place/out"; return 1; }
    if [ -n "$text" ]; then says "$text"; else lines 0; fi
}
another_compiler() {
    objects 'CC .*clock.c' && objects '' && objects 'CC .*clock.c' CC="$place/cc-99" && objects '' CC="$place/cc-99" && objects 'CC .*clock.c' && objects ''
}
check "objects of another compiler are built again" another_compiler
moved() { echo /elsewhere >"$place/b/place" && objects 'CC .*gpus.c' && lines 1 && objects ''; }
check 'a moved course builds objects with its path again' moved
quoted() {
    mkdir -p "$place/it's/common/workshop" && cp -r common/workshop/build "$place/it's/common/workshop" && cp Makefile bootstrap "$place/it's" &&
        ends 2 "whose name has '; move the course out of" make -C "$place/it's" help && ends 1 'with a special character in its name; move the course' "$place/it's/bootstrap" help
}
check "a folder with an apostrophe in its name is refused" quoted

# ---- exit statuses under make ----------------------------------------------------------------------
# make ends with 2; its last line and the line before have the program's status.
status() { # STATUS N STUDENT ARGS
    made 2 "status    $1: " run N="$2" STUDENT="$3" ARGS="$4" && last "Error $1\$"
}
check 'a failed row gives status 1' status 1 3 03_gemv/exercise.cu '--rows 64 --cols 32 --layout row --dtype fp32 --only student,v1'
failed_row() { says 'run: 1 chapter in 0 min .* s: 1 row ok, 0 skipped, 1 failed' && says '^  failed    03_gemv student, 64x32:row fp32$'; }
check 'the failed row is named' failed_row
check 'a missing matrix gives status 2' status 2 5 '' '--matrix none.mtx'
check 'an unknown option gives status 64' status 64 5 '' --frobnicate
check 'a results file that cannot be written gives status 74' status 74 1 '' '--size 1000 --dtype fp32 --only v1 --record /dev/full/x.tsv'
well() { made 0 '1 row ok, 0 skipped, 0 failed' run N=1 ARGS='--size 1000 --dtype fp32 --only v1' && silent 'status  ' && silent 'Nothing to be done'; }
check 'a run without failures gives status 0' well
help() { made 0 'Exit status' run N=1 ARGS=--help && silent '^run:'; }
check '--help prints only the help' help

common/classroom/grade/solutions.sh "$place/solutions" || exit 1
# Chapter 05's plot of all steps uses experiment 2, which selects its steps by name.
own_row() {
    made 0 ' 0 failed' run N=5 STUDENT="$place/solutions/05_e1.cu" ARGS='--experiment 2 --dtype fp32 --count off' &&
        [ "$(grep -c '	student	.*	ok	' "$place/results/05_spmv_vector_experiment2.tsv")" -eq 6 ]
}
check "experiment 2 of chapter 05 has a row for the student's step" own_row

# Without ARGS: the ARGS in the head of the student's file, otherwise those of the chapter's exercise.
own_row_alone() {
    made 0 'run: 1 chapter in .* 2 rows ok, 0 skipped, 0 failed' run N=5 STUDENT="$place/solutions/05_e1.cu" &&
        says '^your row, with ARGS="--wide --matrix diagonal:20000 --only v3,student --dtype fp32"' && says 'PLOTS=1 draws them' || return 1
    { printf '/*\n *     make run N=5 STUDENT=x.cu ARGS="--matrix diagonal:50 --only student"\n */\n'
      cat "$place/solutions/05_e1.cu"; } >"$place/own.cu"
    made 0 ' 1 row ok, 0 skipped, 0 failed' run N=5 STUDENT="$place/own.cu" && says 'diagonal:50 --only student --dtype fp32"'
}
check 'make run STUDENT= without ARGS runs the step and the one to compare with' own_row_alone

own_copy_alone() { # with a byte order mark, as editors of Windows write it
    { printf '\357\273\277'; cat "$place/solutions/02_e2.cu"; } >"$place/mark.cu"
    made 0 ' 0 failed' run N=2 STUDENT="$place/mark.cu" && says '^your row, with ARGS='
}
check 'make run STUDENT= handles chapter 02, which has no types, and a byte order mark' own_copy_alone

# ---- a course of three scripts ---------------------------------------------------------------------
course=$place/course
mkdir -p "$course/bin" "$course/plots" && cd "$course" || exit 1
for k in 1 2 3; do
    mkdir "0${k}_c"
    printf '\n--sweep\n' >"0${k}_c/runs.txt"
    cat >"bin/0${k}_c" <<END
#!/bin/sh
echo "$k: \$*" | tee -a log
record=\$2
case \$* in *--sweep*) row='v2\tn=2\tfp32\tskip: needs a GPU' ;; *) row='v1\tn=1\tfp32\tok' ;; esac
[ -e broken_$k ] && row='v1\tn=1\tfp32\tFAIL: wrong'
printf '# chapter: x\nchapter\tstep\tcase\tdtype\tstatus\n0${k}_c\t%b\n0${k}_c\t%b\n' "\$row" "\$row" >"\$record"
[ ! -e broken_$k ] || exit \$(cat broken_$k)
END
    chmod +x "bin/0${k}_c"
    for plot in ladder sweep; do
        printf '# record: 0%s_c%s\nplot x\n' $k "$(echo $plot | sed 's/ladder//; s/sweep/_sweep/')" >"plots/0${k}_$plot.gp"
    done
done
cp "$top/plots/style.gpi" plots
mkdir -p build/simt && mv bin build/simt/bin
course() { # STATUS TEXT CHAPTERS [ARGS]
    want=$1 text=$2 chapters=$3
    shift 3
    ends "$want" "$text" "$top/common/workshop/tools/run_course.sh" simt "$chapters" '' build/results/simt build/plots/simt "$@"
}
all='01_c 02_c 03_c'
whole() {
    course 0 '^== chapter 1 of 3: 01_c' "$all" && says '^== chapter 3 of 3: 03_c   (docs/03_c.md)' &&
        says '^run: 3 chapters in 0 min [0-9]* s: 6 rows ok, 6 skipped, 0 failed$' && says '^  skipped   6: needs a GPU$' &&
        says 'make report' && says 'docs/01_c.md' && says 'make diff N=1 V=2' && silent 'status  ' && [ -s build/plots/simt/03_sweep.svg ]
}
plots() { rm -rf build/plots; }
if command -v gnuplot >/dev/null 2>&1; then
    check 'a run of all chapters prints each chapter and a summary' whole
    one() {
        plots
        course 0 '^run: 1 chapter in .*: 2 rows ok, 2 skipped' 02_c && silent '== chapter' && says 'docs/02_c.md' && says 'plots     build/plots/simt/: 02_ladder 02_sweep$' &&
            [ "$(find build/plots -name '*.svg' | wc -l)" -eq 2 ]
    }
    check 'a run of one chapter draws only its plots' one
    custom() { plots; course 0 '1: .* --only v1' 01_c --only v1 && silent 'plots  ' && [ "$(find build -name '*.svg' | wc -l)" -eq 0 ]; }
    check 'a run with ARGS draws no plots' custom
    bad_plot() {
        plots
        mv plots/01_ladder.gp kept && printf '# record: 01_c\nplot "nothing"\n' >plots/01_ladder.gp
        course 0 'plots     build/plots/simt/: 01_sweep' 01_c && says 'nothing'
        got=$?
        mv kept plots/01_ladder.gp
        [ ! -e build/plots/simt/01_ladder.svg ] && return $got
    }
    check 'a plot that fails is reported, and the others are drawn' bad_plot
fi
gravest() {
    echo 1 >broken_1 && echo 74 >broken_2 && echo 2 >broken_3
    course 74 '^  status    74: the output or a results file could not be written' "$all" && says '0 rows ok, 0 skipped, 12 failed' && says '^  failed    2 more' &&
        [ "$(grep -c '^  failed    0._c v1, n=1 fp32$' "$place/out")" -eq 10 ] && silent 'make diff'
    got=$?
    rm broken_?
    return $got
}
check 'the most severe of several statuses counts, and failed rows are listed' gravest
stopped() { # the second run must not repeat the first line, but must count its rows
    printf 'run: \n' >build/results/simt/.01_c.done
    course 0 '01_c: skipped, because it was already finished in an earlier run' 01_c && says '2 rows ok, 2 skipped' && silent '1: --record [^ ]*$'
}
touch -d '1 minute ago' build/simt/bin/01_c
course 0 'ok' 01_c >/dev/null
check 'rows of a run that finished before an interruption count' stopped
old_record() { # what another run left there is not this one's
    echo 64 >broken_1
    sed -i 's/^printf/[ -e broken_1 ] || &/' build/simt/bin/01_c
    course 64 'status    64' 01_c && silent 'rows ok'
    got=$?
    rm broken_1
    return $got
}
check 'rows of an older results file do not count' old_record
many() { # many reasons for skipped rows
    printf -- '--reasons\n' >02_c/runs.txt
    cat >build/simt/bin/02_c <<'END'
#!/bin/sh
record=$2
{ printf 'chapter\tstep\tcase\tdtype\tstatus\n'; for i in 1 2 3 4 5 6 7 8 9; do for j in $(seq $i); do printf 'c\tv\tn\tf\tskip: reason %s\n' $i; done; done; } >"$record"
END
    course 0 '0 rows ok, 45 skipped' 02_c && says '^  skipped   9: reason 9$' && says '^  skipped   6 for other reasons' && silent 'reason 3'
}
check 'the most frequent reasons for skipped rows are listed' many
cd "$top" || exit 1

# ---- the student's row in the plots ------------------------------------------------------------------
learner() { # RECORD PLOT: copies v1's rows as the student's
    for gpu in simt h200; do
        mkdir -p "$place/$gpu"
        awk -F '\t' -v OFS='\t' '{print} !/^#/ && $2 == "v1" {$2 = "student"; print}' "plots/data/$gpu/$1.tsv" >"$place/$gpu/$1.tsv"
        echo "$place/$gpu/$1.tsv" >"$place/list"
        plots/draw.sh "$place/$gpu" "$place/$gpu" svg "$place/list" || return 1
        grep -q '>student<' "$place/$gpu/$2.svg" || { echo "$gpu/$2.svg has no bar of the learner's"; return 1; }
    done
}
if command -v gnuplot >/dev/null 2>&1; then
    check "the plot of chapter 01 has a bar for the student's step" learner 01_reduce 01_ladder
    check "the plot of chapter 02 has a bar for the student's step" learner 02_memcpy_vectorized 02_ladder
    check "the plot of chapter 03 has a bar for the student's step" learner 03_gemv 03_steps
    check "the plot of chapter 04 has a bar for the student's step" learner 04_spmv_scalar 04_steps
    check "the plot of chapter 05 has a bar for the student's step" learner 05_spmv_vector_experiment2 05_against_cusparse
    check "the plot of chapter 06 has a bar for the student's step" learner 06_spmv_lightspmv 06_steps
    check "the plot of chapter 07 has a bar for the student's step" learner 07_load_balance_experiment1 07_balance
fi

# ---- the first lines of output ----------------------------------------------------------------------
first() { made 0 '^run: 7 chapters on the CPU' run -n && says 'Ctrl-C' && made 0 '^run: chapter 03_gemv on the CPU' run -n N=3 && made 0 . run -n N=3 ARGS=--list && silent '^run'; }
check 'make run announces its chapters before it builds' first
tally
