#!/bin/sh
# build.sh KIT SOURCE NAME PROGRAM: compiles a practice exercise with the flags of the course's kernels, and links it
# with the runner.
#   KIT     the folder with flags and runner (common/classroom/practice/Makefile)
#   NAME    the file's name in messages
# Exits with 1 if it does not compile, and prints the first error.
kit=$1 source=$2 name=$3 program=$4
compiler='' flags='' includes='' libraries='' translate='' prefix=''
# shellcheck source=/dev/null
. "$kit/flags"
{ printf '#line 1 "%s"\n' "$name"; sed '1s/^\xef\xbb\xbf//' -- "$source"; } >"$program.cpp" || exit 2
# Runs the preprocessor, the translation of CUDA's syntax, and the compiler.
# shellcheck disable=SC2086 # flags are words
{
    $compiler $flags $includes -include "$prefix" -fpch-preprocess -E "$program.cpp" -o "$program.cu.ii" &&
        "$translate" <"$program.cu.ii" >"$program.ii" && $compiler $flags -c "$program.ii" -o "$program.o"
} 2>"$program.said" || {
    awk '/ error: / && ++errors > 1 { exit } errors && ++lines <= 6' "$program.said" | grep . || head -n 6 "$program.said"
    exit 1
}
# shellcheck disable=SC2086
$compiler "$program.o" "$kit/runner.o" "$kit/data.o" $libraries -o "$program" 2>"$program.said" || {
    sed -n 's/.*undefined reference to /nothing defines /p' "$program.said" | sort -u | head -n 3
    exit 1
}
