#!/bin/sh
# assignment.sh N E TO COURSE: writes an assignment for a class, exercise E of chapter N, to a new folder TO (make
# assignment).
#   TO/repository/      a template for GitHub Classroom: skeleton, statement, grade.sh, a workflow
#   TO/gradescope.zip   an autograder for Gradescope, with the course as it is committed here
# COURSE is the address from which runners clone the course; the default is the address of `origin`.  If there is none,
# the teacher adds it to the template.
n=${1#0} e=$2 to=$3 course=$4
fail() { echo "make assignment: $1" >&2; exit "${2:-1}"; }
usage='N=5 E=1 TO=FOLDER: chapter; exercise; a folder that is to be made'
here=$(dirname "$0")/assignment
case $n in '' | *[!0-9]*) fail "$usage" 64 ;; esac
case $e in '' | *[!0-9]*) fail "$usage" 64 ;; esac
[ -n "$to" ] || fail "$usage" 64
[ "$e" = 1 ] && skeleton=exercise.cu || skeleton=exercise$e.cu
set -- 0"$n"_*/"$skeleton"
[ -e "$1" ] || fail "chapter $n has no exercise $e; make exercise lists the exercises" 64
skeleton=$1 chapter=${1%%/*} file=e$e.cu
case $to in /* | ./* | ../*) ;; *) to=./$to ;; esac # a name must not look like an option
[ ! -e "$to" ] || fail 'TO exists already; name a new folder' 64

commit=$(git rev-parse HEAD 2>/dev/null) || fail 'the course must be a git repository, because the assignment contains its committed files'
git diff --quiet HEAD -- || echo 'make assignment: uncommitted changes are not part of the assignment; commit them first to include them' >&2
[ -n "$course" ] || course=$(git remote get-url origin 2>/dev/null | grep -E '^(https?|ssh|git)://|^[a-z]+@')
case $course in *[!A-Za-z0-9._~:/@+-]*) fail 'COURSE must be the address of a git repository, of letters, digits and . _ ~ : / @ + -' 64 ;; esac

# fill FROM TO: copies a file of the template and replaces its placeholders
fill() {
    sed "s|@N@|$n|g; s|@E@|$e|g; s|@FILE@|$file|g; s|@CHAPTER@|$chapter|g; s|@COMMIT@|$commit|g; s|@COURSE@|$course|g" "$1" >"$2" ||
        fail "cannot write the assignment"
    [ ! -x "$1" ] || chmod +x "$2"
}
mkdir -p -- "$to/repository/.github/workflows" "$to/gradescope" || exit 1
cp -- "$skeleton" "$to/repository/$file" || exit 1
fill "$here/grade.sh" "$to/repository/grade.sh"
fill "$here/classroom.yml" "$to/repository/.github/workflows/classroom.yml"
printf '/.course/\n/results.json\n' >"$to/repository/.gitignore"
# The statement: the exercise's section of the chapter's page, without commands for the course's folder and without
# links.
fill "$here/README.md" "$to/repository/README.md"
awk -v number="$e" '/^## / { on = $0 ~ "^## Exercise " number "(:|$)" } on && !/^    make /' "docs/exercises/$chapter.md" |
    sed 's/\[\([^]]*\)\]([^)]*)/\1/g' | cat -s >>"$to/repository/README.md"
fill "$here/setup.sh" "$to/gradescope/setup.sh"
fill "$here/run_autograder" "$to/gradescope/run_autograder"
git archive --format=tar.gz -o "$to/gradescope/course.tar.gz" HEAD || exit 1
(cd "$to/gradescope" && python3 -m zipfile -c ../gradescope.zip setup.sh run_autograder course.tar.gz) && rm -r "$to/gradescope" || exit 1

# shellcheck source=common/workshop/tools/shown.sh
. "$(dirname "$0")/../../workshop/tools/shown.sh"
shown="$(shown "${to#./}")"
echo "$shown/repository      for GitHub Classroom: a template repository; in it, ./grade.sh marks $file"
[ -n "$course" ] || echo "$shown/repository      needs to know where the course can be cloned from: COURSE=... (docs/teaching.md)"
echo "$shown/gradescope.zip  for Gradescope: Configure Autograder, upload"
