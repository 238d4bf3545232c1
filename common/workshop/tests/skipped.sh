#!/bin/sh
# skipped.sh WHO WHY: reports that a part of the tests is skipped.  In `make test`, which sets SKIPPED to a file, it is noted there.
# skipped.sh: prints the list at the end of `make test`, from that file, with the reasons of skips.txt; SKIPS=expected (.ci/run):
# exit status 1 if a skip is not in skips.txt.
if [ $# -gt 0 ]; then
    echo "$1: skipped: $2"
    [ -z "${SKIPPED-}" ] || echo "$1 $2" >>"$SKIPPED"
    exit 0
fi
chroot() { [ "$(stat -Lc %d:%i /)" != "$(stat -Lc %d:%i /proc/1/root/. 2>/dev/null)" ]; }
[ -s "${SKIPPED-}" ] || { echo 'nothing was skipped'; exit 0; }
echo 'skipped:'
sort -u "$SKIPPED" | {
    unexpected=0
    while IFS= read -r skip; do
        why='not expected: see common/workshop/tests/skips.txt'
        while IFS='|' read -r pattern when reason; do
            case $pattern in '#'* | '') continue ;; esac
            # shellcheck disable=SC2254 # a pattern
            case $skip in ${pattern% }) ;; *) continue ;; esac
            case $when in ' always ') ;; ' chroot ') chroot || continue ;; *) continue ;; esac
            why=${reason# }
            break
        done <"$(dirname "$0")/skips.txt"
        case $why in 'not expected'*) unexpected=$((unexpected + 1)) ;; esac
        printf '  %-58s  %s\n' "$skip" "$why"
    done
    [ $unexpected -eq 0 ] || [ "${SKIPS-}" != expected ] || { echo "$unexpected skipped that should not be" >&2; exit 1; }
}
