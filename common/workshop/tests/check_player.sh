#!/bin/sh
# check_player.sh: tests the players of all steps (docs/player).  Each step that the simulator runs must have a page of at most 300
# KB; in a browser every page must open without errors and end at the counts of the table, and a race must show both accesses.  Then
# two pages are broken, by a lost event and by a script that does not run; both must be noticed.  The chapters' programs must be
# built (make all BACKEND=simt).
cd "$(dirname "$0")/../../.." || exit 2
python=
for candidate in python3 /usr/bin/python3; do
    [ -n "$python" ] || ! $candidate -c 'import selenium' 2>/dev/null || python=$candidate
done
[ -e /usr/share/nodejs/d3-selection/dist/d3-selection.min.js ] || { echo '[  SKIPPED ] node-d3-selection is not installed'; exit 0; }
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT; trap 'exit 130' HUP INT TERM
status=0
fails() { echo "check_player: $1"; status=1; }

common/workshop/tests/players.sh || exit 1
play=build/players/play
[ -z "$(find "$play" -name '*.html' -size +300k)" ] || fails "more than 300 KB: $(find "$play" -name '*.html' -size +300k)"
for chapter in 0?_*; do
    for step in $(common/workshop/tools/steps.sh list "$chapter" | cut -f 1); do
        [ -e "$play/${chapter%%_*}_$step.html" ] || case $chapter/$step in
        02_*/v10 | 02_*/v11 | 02_*/v12) ;; # the bulk copy engine is not modelled
        *) fails "$chapter $step has no player" ;;
        esac
    done
done

# Mistakes of a user must give a sentence, and nothing may be written.
refused() { docs/player/play.py 01_reduce --program build/simt/bin/01_reduce --out "$work/none.html" "$@" >"$work/said" 2>&1 && fails "$* was taken"
    [ ! -e "$work/none.html" ] || fails "$* wrote a page"
    [ "$(wc -l <"$work/said")" -le 2 ] || { fails "$*:"; cat "$work/said"; }; }
refused --step v77
grep -q '^play: there is no step v77 in chapter 01: it has v1 to v[0-9]*$' "$work/said" || { fails 'v77: not said which steps there are:'; cat "$work/said"; }
refused --step c1
refused --step v1 -- --size 2000000
refused --step v1 -- --matrix band:3,1

if [ -z "$python" ] || ! command -v chromium >/dev/null 2>&1 || ! command -v chromedriver >/dev/null 2>&1; then
    echo '[  SKIPPED ] chromium, chromium-driver and python3-selenium are not all installed: the players were not opened'
    exit $status
fi
race() { make --no-print-directory BACKEND=simt STUDENT=docs/player/race.cu N=1 01_reduce &&
    docs/player/play.py 01_reduce --program build/simt/bin/01_reduce_student --step student --out "$work/race.html"; }
{ flock 9 && race; } 9>build/simt/student.lock >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
$python common/workshop/tests/player_test.py "$play" "$work/race.html" || status=1

# Planted mistakes.
mkdir "$work/broken" && cp "$play/01_v2.html" "$work/broken"
sed 's/"warps":\[\[0,0,0,\[\[[^]]*\]\],/"warps":[[0,0,0,[/' "$play/01_v2.html" >"$work/broken/01_v2.html"
cmp -s "$play/01_v2.html" "$work/broken/01_v2.html" && fails 'nothing was broken'
$python common/workshop/tests/player_test.py "$work/broken" "$work/race.html" >"$work/said" && fails 'a lost event was not noticed'
grep -q 'ld_requests ends at' "$work/said" || { fails 'not seen in the counts:'; cat "$work/said"; }
sed 's/function countsUpTo/function countsUpT/' "$play/01_v2.html" >"$work/broken/01_v2.html"
$python common/workshop/tests/player_test.py "$work/broken" "$work/race.html" >"$work/said" 2>&1 && fails 'a broken script was not noticed'
exit $status
