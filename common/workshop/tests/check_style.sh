#!/bin/sh
# check_style.sh: checks what every step file must have, and what no file may have.
status=0
complain() { echo "$1"; status=1; }

# The labels of a step's head comment, in order; From in all kernels but the first (check_steps.sh).
for f in 0?_*/v*_*.cu 0?_*/[a-z]_*/v*_*.cu 0?_*/cpu_*.c; do
    case $f in *_plan.cu) continue ;; esac
    [ -e "$f" ] || continue
    labels=$(sed -n '1,/\*\//s/^ \* \(From\|Was\|Idea\|Moves\|Expect\|Still\|Needs\|Launch\|Source\) .*/\1/p' "$f" | tr '\n' ' ')
    [ "${labels#From }" = "Was Idea Moves Expect Still Needs Launch Source " ] || complain "$f: head comment has: $labels"
done

# Lines of at most 120 columns; no tabs in C and Python; no trailing blanks.  Files that imitate learners are exempt.
git ls-files '*.c' '*.h' '*.cu' '*.cuh' '*.def' '*.cpp' '*.hpp' '*.sh' '*.awk' '*.gp' '*.py' \
    ':!common/classroom/grade/exploits' ':!common/classroom/grade/honest' 2>/dev/null | (while IFS= read -r f; do
    awk -v f="$f" 'length($0) > 120 && f !~ /\.(gp|awk|sh)$/ && !/^ *"/ && !/^#define [A-Z_]+ "/ {print f ":" FNR ": " length($0) " columns"; bad = 1}
                   /[ \t]$/ {print f ":" FNR ": trailing blank"; bad = 1}
                   /\t/ && f ~ /\.(c|h|cu|cpp|hpp|py)$/ {print f ":" FNR ": a tab"; bad = 1}
                   END {exit bad}' "$f" || bad=1
done; [ -z "$bad" ]) || status=1

# fast-math would let NaN pass the checks.  Three rows of chapter 04 show its effect, in separate objects.
if git grep -nE 'ffast-math|-Ofast|use_fast_math' -- '*.mk' 'Makefile' '*/Makefile' ':!04_spmv_scalar/cpu.mk' \
    ':!common/workshop/tests/aarch64.mk' 2>/dev/null; then complain "fast-math"; fi

# Git for Windows checks out files with CR LF, but such a clone is also used from Linux.
[ "$(git check-attr eol bootstrap 2>/dev/null)" = 'bootstrap: eol: lf' ] || git rev-parse 2>/dev/null || complain '.gitattributes: bootstrap has no eol=lf'

# Compiled programs must not be committed.
made=$(git ls-files -z 2>/dev/null | LC_ALL=C xargs -0 grep -l "^$(printf '\177')ELF" 2>/dev/null)
[ -z "$made" ] || complain "a program, not a source: $made"

# Shell scripts, if shellcheck is installed.
if command -v shellcheck >/dev/null 2>&1; then
    git ls-files '*.sh' bootstrap .ci/run | xargs shellcheck || status=1
fi
exit $status
