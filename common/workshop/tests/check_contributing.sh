#!/bin/bash
# check_contributing.sh: follows CONTRIBUTING.md's list "To add a step" with a toy step in a copy of the course.  The step must be
# built, listed, run, compared with the step from which it is derived, and tested.  With a mistake, and without a mutant, the same
# tests must fail.  Then it adds a chapter by make new-chapter.
# shellcheck disable=SC2016 # backticks of Markdown
status=0
complain() { echo "$1"; status=1; }
copy=$(mktemp -d) || exit 2
trap 'rm -rf "$copy"' EXIT; trap 'exit 130' HUP INT TERM
mkdir -p "$copy/build/simt/bin"
tar --exclude=./build --exclude=./.git --exclude=./work -cf - . | tar -xf - -C "$copy" || exit 2
cp -a build/simt/common build/simt/01_reduce build/simt/lib{basics,common}.a build/simt/made_by "$copy/build/simt/" &&
    cp -a build/simt/bin/translate "$copy/build/simt/bin/" || exit 2
made() { make --no-print-directory -C "$copy" BACKEND=simt NVCC= N=1 "$@"; }

followed=
while read -r path; do
    case $path in
    01_reduce/v14_toy.cu)
        sed 's/v13/v14/g; 2s/ - .*/ - toy/; s/^ \* From .*/ * From    v13/' "$copy"/01_reduce/v13_*.cu >"$copy/$path" ;;
    01_reduce/steps.def)
        line=$(sed -n '/^### To add a step/,/^###* To add a chapter/s/.*`\(STEP(v14, [^`]*)\)`.*/\1/p' CONTRIBUTING.md)
        sed -i "/^STEP(v13,/a $line" "$copy/$path" ;;
    01_reduce/test_mutants.txt)
        sed -n '/^= v13/,/^$/{s/v13_flagged_sums/v14_toy/; s/v13/v14/; p}' "$copy/$path" >"$copy/said"
        cat "$copy/said" >>"$copy/$path" ;;
    docs/pages/01_reduce.md | plots/data/simt/01_reduce.tsv) # these are not built
        [ -f "$copy/$path" ] || complain "the list names $path, which does not exist" ;;
    *) complain "the list names $path, and this test does not know what to do with it" ;;
    esac
    followed="$followed $path"
done < <(sed -n '/^### To add a step/,/^### To add a chapter/s/^[0-9]*\. `\([^`]*\)`.*/\1/p' CONTRIBUTING.md)
case $followed in *v14_toy.cu*steps.def*test_mutants.txt*) ;; *) complain "the list of CONTRIBUTING.md has changed, so this test must follow it: $followed" ;; esac

toy=$copy/01_reduce/v14_toy.cu
made 01_reduce >"$copy/said" 2>&1 || { complain 'the toy is not built:'; cat "$copy/said"; exit 1; }
program="$copy/build/simt/bin/01_reduce"
"$program" --list | grep -q '^v14 .* gpu *toy$' || complain 'the toy is not listed'
"$program" --only v14 --size 1000 --dtype fp32 --format tsv | grep -q "^01_reduce	v14	gpu	n=1000	fp32	.*	ok	" || complain 'the toy does not run'
[ "$(cd "$copy" && common/workshop/tools/steps.sh list 01_reduce | sed -n 's/^v14	//p')" = 'v13	0	toy	' ] || complain 'the toy is not v13 with another number'
tested() { made -C "$copy/01_reduce" test >"$copy/said" 2>&1 && (cd "$copy" && build/simt/bin/test_01_reduce) >"$copy/said" 2>&1; }
tested || { complain 'a right toy does not pass the tests of the chapter:'; tail -n 5 "$copy/said"; }

# The same toy step with a mistake (its last element is not written), and without its mutants.
cp 01_reduce/test_mutants.txt "$copy/01_reduce/"
sed -i 's/^\(.*reduce_v14_launch(.*\)size_t n\(.*\)$/\1size_t all\2/' "$toy"
awk '{ print } /reduce_v14_launch\(/ { seen = 1 } seen && /^{/ { print "    const size_t n = all > 1000 ? all - 1 : all;"; seen = 0 }' "$toy" >"$toy.new" && mv "$toy.new" "$toy"
tested && complain 'a toy that forgets an element passes'
grep -q 'no mutant of v14' "$copy/said" || { complain 'the tests do not miss a mutant of the toy:'; tail -n 5 "$copy/said"; }
grep -q 'v14 on n=' "$copy/said" || { complain 'the tests do not name the toy:'; tail -n 5 "$copy/said"; }

# make new-chapter must write a chapter that runs and passes its tests unchanged.
for name in 8_toy 08 08_Toy '08_a b' 01_toy; do
    made new-chapter NAME="$name" >"$copy/said" 2>&1 && complain "a chapter $name is made"
done
made new-chapter NAME=08_toy >"$copy/said" 2>&1 || complain "there is no new chapter: $(cat "$copy/said")"
if make --no-print-directory -C "$copy/08_toy" BACKEND=simt NVCC= all test >"$copy/said" 2>&1; then
    "$copy/build/simt/bin/08_toy" --format tsv | grep -q "^08_toy	v1	gpu	.*	ok	" || complain 'the new chapter does not run'
    "$copy/build/simt/bin/test_08_toy" >"$copy/said" 2>&1 || { complain 'the new chapter fails its tests:'; cat "$copy/said"; }
else
    complain 'the new chapter is not built:'; cat "$copy/said"
fi
exit $status
