#!/bin/sh
# check_leaderboard.sh: tests the leaderboard with thousands of files, odd names, a full disk, and signals.  A fake
# grade, written below, reads the points from the file.  test_grade.c uses the real grader.
# shellcheck source=common/workshop/tests/tally.sh
. common/workshop/tests/tally.sh
course=$(pwd)
mkdir "$place/here" && cd "$place/here" || exit 1
ln -s "$course/common" "$course/plots" .
mkdir -p build/simt/bin
cat >build/simt/bin/grade <<'END'
#!/bin/sh
for word; do case $word in --row=*) row=${word#--row=} ;; --record=*) record=${word#--record=} ;; --name=*) name=${word#--name=} ;; esac; done
[ -e "$word" ] || exit 2 # the last argument is the file
read -r points <"$word"
case $points in
slow) echo $$ >>graders; exec sleep 60 ;;
broken) echo 'the kit is broken'; exit 3 ;;
esac
# A name with quotes makes invalid JSON; then the page has only the row.
printf '{"meta":{"file":"%s","line_1":"0/30 right: <b>x</b>: <script>x</script> %s:2","why_1":"<script>x</script> %s:2"},"rows":[
{"step":"student","case":"n=5","dtype":"fp32","cold_us":null,"predicted_us":12.5,"predicted_for":"<b>X","ld_requests":7}]}' \
    "$name" "$name" "$name" >"$record"
printf '%s\tpartial\t-\tbeside \302\233 it\n' "$points" >"$row"
exit 1
END
chmod +x build/simt/bin/grade
leaderboard=$course/build/simt/bin/leaderboard
board() { "$leaderboard" 1 1 "$1" 4 --build build/simt; }
out() { echo "build/leaderboard/$1-1-1"; }

# Points, ranks and order are right; equal files are graded once; a results file names the file that it is for.
mkdir -p class/ann class/bo
echo 50 >class/ann/e1.cu; echo 90 >class/bo/e1.cu; echo 50 >class/copy.cu
ln -s /etc/passwd class/link.cu; mkdir class/folder.cu; mkfifo class/pipe.cu; echo 1 >class/notes.txt
marked() {
    ends 0 '1 .cu files are links' board class && printf 'rank,file,points,verdict,time_us,reason,equal_to,record
1,"bo/e1.cu",90,"partial","-","beside   it","","done/.json"\n2,"ann/e1.cu",50,"partial","-","beside   it","","done/.json"
2,"copy.cu",50,"partial","-","beside   it","ann/e1.cu","done/.json"\n' >expected &&
        sed 's/[0-9a-f]*-[0-9a-f]*.json/.json/' "$(out class)/leaderboard.csv" | diff expected - &&
        cat "$(out class)"/done/*.json | grep -o '"file":"[^"]*"' | sort | tr '\n' ' ' | grep -qx '"file":"ann/e1.cu" "file":"bo/e1.cu" '
}
check 'points, ranks and order are right, and equal files are graded once' marked
progress() { grep -q '^[1-3]/3 bo/e1.cu 90 partial$' "$place/out" && grep -q '^[1-3]/3 ann/e1.cu 50 partial$' "$place/out"; }
check 'progress has a line for each file that is graded' progress

# HTML pages, if Jinja2 is installed.
pages() { # FOLDER HOW_MANY
    $python "$course/common/workshop/tests/html_test.py" "$(out "$1")/html" && [ "$(find "$(out "$1")/html" -name '[0-9]*.html' | wc -l)" -eq "$2" ]
}
linked() { grep -q '<a href="#L2">ann/e1.cu:2</a>' "$(out class)/html/0002.html" && grep -q '&lt;script&gt;x' "$(out class)/html/0002.html"; }
equal() { grep -q 'copy.cu</a>.*equal to ann/e1.cu' "$(out class)/html/index.html"; }
others() { # a learner's page names no other learner: not the equal file, whose marks it shares; nor one that is alike
    ! grep -q 'ann/e1\|bo/e1' "$(out class)/html/0003.html" && grep -q '<a href="#L2">copy.cu:2</a>' "$(out class)/html/0003.html" &&
        ! grep -q 'copy.cu\|bo/e1' "$(out class)/html/0002.html"
}
python=python3
if $python -c 'import jinja2' 2>/dev/null; then
    check 'each submission has a page' pages class 3
    check 'reasons link to lines of the source' linked
    check 'equal files are named as equal' equal
    check 'the page of a submission names no other submission' others
    check 'a predicted time is marked as predicted' grep -q 'not measured; 12.5 µs predicted for &lt;b&gt;X, n=5\.' "$(out class)/html/0002.html"
else
    pages() { :; }
    echo '[  SKIPPED ] Jinja2 is not installed: the pages of a leaderboard are not tested'
fi
again() { touch before && ends 0 'leaderboard.csv' board class && [ -z "$(find "$(out class)/done" -newer before)" ]; }
check 'a graded file is not graded again' again
one_more() {
    echo 70 >class/ann/e1.cu && touch before && ends 0 'leaderboard.csv' board class &&
        [ "$(find "$(out class)/done" -newer before -name '*.row' | wc -l)" -eq 1 ]
}
check 'a changed file is graded again' one_more
unmarked() {
    mkdir -p some && echo 5 >some/a.cu && echo broken >some/b.cu && head -c 2000000 /dev/zero >some/large.cu &&
        ends 1 '1 of 3 could not be graded' board some && grep -q '"b.cu",0,"not marked","-","exit code 3: the kit is broken"' "$(out some)/leaderboard.csv" &&
        echo 6 >some/b.cu && ends 0 ' b.cu *6 ' board some
}
check 'a file that could not be graded has a line and is graded again' unmarked

# Names that are no UTF-8, or commands of terminals, gnuplot, XML and spreadsheets are displayed without harm.
names() {
    mkdir -p odd
    # shellcheck disable=SC2016 # the shell must not expand these
    for coded in '\0377\0376' '\0033[31m' '\0033]0;x\0007' '\0302\0233' '\0302\0205' '\0342\0200\0256x' '\0342\0201\0246x' '\0357\0277\0277' \
        '\0355\0240\0200' 'a\nb' 'a\tb' '=1+1' '@x' "it's" 'a"b' '\\001' '\\n' 'a&b<c>' '%s' '#' '?' NaN '{_x}' 'a#b' '`touch it`'; do
        echo 3 >"odd/$(printf '%b' "$coded").cu"
    done
    board odd >said 2>&1 || { cat said; return 1; }
    LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]\|\302[\200-\237]\|\342\200[\252-\256]\|\342\201[\246-\251]')" said "$(out odd)"/leaderboard.* && return 1
    for page in said "$(out odd)"/leaderboard.*; do iconv -f UTF-8 -t UTF-8 "$page" >converted && cmp "$page" converted || return 1; done
    pages odd 25 || return 1
    [ "$(wc -l <"$(out odd)/leaderboard.csv")" -eq 26 ] && ! grep -q '"[=@]' "$(out odd)/leaderboard.csv" && [ ! -e it ] || return 1
    [ ! -e "$(out odd)/leaderboard.svg" ] || { grep -q '>\\001.cu<' "$(out odd)/leaderboard.svg" && grep -q '>a&amp;b&lt;c>.cu<' "$(out odd)/leaderboard.svg"; }
}
check 'odd file names are displayed without harm' names
long() { # a folder name of 255 bytes, and a path longer than the kernel allows
    folder=$(printf '%0255d' 0) && mkdir "$folder" && echo 8 >"$folder/$(printf '%0252d' 0).cu" &&
        ends 0 ' 8  partial' board "$folder" && ends 0 ' 8  partial' board "./$folder//"
}
check 'long file and folder names work' long

# Two folders of the same name have different pages, also in later runs.  Standard input may be closed.
namesakes() {
    mkdir -p one/class two/class && echo 30 >one/class/a.cu && echo 40 >two/class/b.cu || return 1
    for folder in one two one; do board $folder/class <&- >/dev/null 2>&1 || return 1; done
    grep -q '"a.cu",30' "$(out class)-2/leaderboard.csv" && grep -q '"b.cu",40' "$(out class)-3/leaderboard.csv" && grep -q 'bo/e1.cu' "$(out class)/leaderboard.csv"
}
check 'two folders of the same name have different pages' namesakes

# 4000 files with a hundred different contents: the second run only reads and writes.
mkdir many
seq 4000 | while read -r i; do echo $((i % 100)) >"many/$i.cu"; done
thousands() {
    ends 0 ' 4000.cu  ' board many || return 1
    start=$(date +%s)
    ends 0 ' 4000.cu  ' board many && [ $(($(date +%s) - start)) -lt 150 ] && pages many 4000 && [ "$(wc -l <"$(out many)/leaderboard.csv")" -eq 4001 ]
}
check '4000 graded files take less than 150 seconds' thousands

# Other names and comments do not hide a copy, and code of the skeleton does not count.
like() {
    mkdir -p alike && ln -sfn "$course/01_reduce" 01_reduce || return 1
    { echo 5; sed 's/v8/student/g' 01_reduce/v08_*.cu; } >alike/dora.cu
    { echo 6; sed 's/v8/student/g; s/sum/total/g; s/^ *//; s|^/\*.*|& mine|' 01_reduce/v08_*.cu; } >alike/emil.cu
    { echo 7; cat 01_reduce/exercise.cu; } >alike/fred.cu
    { echo 8; cat 01_reduce/exercise.cu; echo '// nothing yet'; } >alike/gus.cu
    # A file for which sim_c would need hours must not hide other copies.
    { echo 9; echo '#if 0'; head -c 240000 /dev/zero | sed 's/\x00/a;/g'; echo '#endif'; } >alike/hard.cu
    { echo 4; "$course/common/classroom/grade/solutions.sh" solutions && cat solutions/01_e1.cu; } >alike/ida.cu
    ends 0 ' 5  partial' board alike || return 1
    sed -n '/id="similar"/,$p' "$(out alike)/html/index.html" >similar
}
page_of_a_learner() { ! grep -q 'emil\|fred\|gus' "$(out alike)/html/0005.html" && grep -q 'Resembles step v08' "$(out alike)/html/0005.html"; }
resembling() { like && page_of_a_learner && tr '\n' ' ' <similar | grep -q 'emil.cu</a></td><td class="n">[0-9]* %</td> <td class="file"><a[^>]*>dora.cu' &&
    ! grep -q "fred\|gus" similar && grep -q 'step v08_block' similar && grep -q 'the solution of exercise 1' similar && grep -q 'Not compared.*hard.cu' similar; }
unknown() { # without sim_c
    mkdir -p few && for tool in sh cat grep gnuplot sleep; do ln -sf "$(command -v $tool)" few/; done
    ln -sf "$($python -c "import sys; print(sys.executable)")" few/python3
    # shellcheck disable=SC2123 # another PATH is intended
    (PATH=$place/here/few && export PATH && ends 0 ' 5  partial' board alike) && grep -q 'apt-get install similarity-tester' "$(out alike)/html/index.html"
}
if command -v sim_c >/dev/null 2>&1 && $python -c 'import jinja2' 2>/dev/null; then
    check 'similar files are listed, and the code of the skeleton does not count' resembling
    check 'the page says how to install a missing sim_c' unknown
else
    echo '[  SKIPPED ] similarity-tester is not installed: similar files are not tested'
fi

# No grader survives the leaderboard.
at_work() { # four of five graders are running
    rm -f graders && mkdir -p endless || return 1
    for i in 1 2 3 4 5; do printf 'slow\n%s' $i >endless/$i.cu; done
    "$leaderboard" 1 1 endless 4 --build build/simt >said 2>&1 &
    for _ in $(seq 600); do [ -e graders ] && [ "$(wc -l <graders)" -ge 4 ] && return 0; sleep 0.1; done
    cat said
    return 1
}
gone() { # SIGNAL
    at_work || return 1
    kill -s "$1" $! && wait $!
    sleep 0.5
    while read -r grader; do
        ! grep -q sleep "/proc/$grader/cmdline" 2>/dev/null || { echo "process $grader is still there"; kill "$grader"; return 1; }
    done <graders
    [ "$1" = KILL ] || grep -q 'interrupted: 0 of 5 are graded; the same command continues' said
}
check 'SIGTERM ends all graders' gone TERM
check 'SIGKILL ends all graders' gone KILL
twice() {
    at_work || return 1
    first=$!
    ends 3 'another leaderboard is writing' board endless
    second=$?
    kill $first && wait $first
    return $second
}
check 'a second leaderboard of the same folder is refused' twice

# On a full disk the old pages stay, and no part of new ones.
left() { # SIZE: the limit of a file in kB
    md5sum "$(out class)"/leaderboard.* >sums
    echo "$1" >class/ann/e1.cu
    # shellcheck disable=SC2016 # for the inner shell
    bash -c 'trap "" XFSZ; ulimit -f $1; shift; "$@"; echo "exit status $?"' - "$1" "$leaderboard" 1 1 class 4 --build build/simt 2>&1 | cat >said
    cat said
    grep -q 'are unchanged' said && grep -q 'exit status 74' said && md5sum --quiet -c sums && [ -z "$(find "$(out class)" -name '*.new')" ]
}
check 'a disk without room for the table leaves the old pages' left 0
if command -v gnuplot >/dev/null 2>&1; then check 'a disk without room for the plot leaves the old pages' left 2; else echo '[  SKIPPED ] gnuplot is not installed: plots are not tested'; fi
full_output() { board class >/dev/full 2>said; [ $? -eq 74 ] && grep -q 'standard output is incomplete: No space left' said; }
check 'a full standard output gives exit status 74' full_output
no_place() { rm -rf build/leaderboard && touch build/leaderboard && ends 74 'cannot write build/leaderboard' board class; }
check 'a build/leaderboard that is not a folder gives exit status 74' no_place

# Wrong arguments.
check 'a missing folder is refused' ends 64 'SUBMISSIONS: No such file' board ''
check 'a file instead of a folder is refused' ends 64 'said: Not a directory' board said
for jobs in '' 0 -1 x '1;touch it' 1000000; do
    check "JOBS=$jobs is refused" ends 64 'JOBS must be the number' "$leaderboard" 1 1 class "$jobs"
done
check 'an exercise that is not a number is refused' ends 64 'E=EXERCISE SUBMISSIONS=FOLDER' "$course/build/simt/bin/leaderboard" 1 "';touch it;'" class 1
[ ! -e it ] || check 'no argument is run as a command' false

tally
