#!/bin/sh
# student.sh FILE [CHAPTER]: prints what is wrong with STUDENT=FILE in one line; nothing if it can be built.  FILE is
# relative to the top of the course.  The makefiles call this before they build anything.
cd "$(dirname "$0")/../../.." || exit 2
say() { printf 'STUDENT=%s: %s' "$name" "$1" | tr '[:cntrl:]' '?'; exit 0; }
name=$1

# Characters with a meaning for make or the shell cannot be in the name of a file that make builds.
case $name in
*[[:space:][:cntrl:]]*) say 'make cannot build a file whose name, or whose folder, has blanks; rename it' ;;
*[\'\"\`\$\\\#%:\;\&\|\<\>\(\)\{\}\[\]\*\?\!=~^]*) say "make cannot build a file with a special character in its name; rename it with letters, digits, . _ and - only" ;;
esac
[ ! -d "$name" ] || say 'this is a folder; name the .cu file in it'
[ ! -e "$name" ] || [ -f "$name" ] || say 'this is not a regular file'
why=$(LC_ALL=C head -c 1 -- "$name" 2>&1 >/dev/null) || say "${why##*: } (seen from $PWD)"
case $(head -c 2 -- "$name" | od -An -tx1) in
' ff fe' | ' fe ff') say 'UTF-16 text: save it as UTF-8' ;;
esac
case $name in
*.cu) ;;
*) say 'a step is a .cu file' ;;
esac

# A step of another chapter: every chapter has an e1.cu.
[ -n "$2" ] || exit 0
for chapter in "$2" 0?_*; do
    launcher=$(sed -n 's/^cudaError_t \([a-z_]*_student\).*/\1/p' "$chapter/chapter.c")
    grep -qw -e "$launcher" -- "$name" || continue
    number=${chapter#0}
    [ "$chapter" = "$2" ] || say "it defines $launcher, so it is for chapter ${number%%_*}: make run N=${number%%_*} STUDENT=$name"
    break
done
