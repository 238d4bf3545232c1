#!/bin/sh
# run_protocol.sh: protocol.h between threads, plain and under the thread sanitizer; then its mutants, each of
# which must be seen: a race, a wrong entry, or a wait in vain.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=common/workshop/tests/tally.sh
. "$here/../../../common/workshop/tests/tally.sh"
# The sanitizer wants the same addresses each time.
calm=
setarch -R true 2>/dev/null && calm='setarch -R'
build() { # PROGRAM FOLDER-OF-HEADERS FLAGS...
    program=$1 headers=$2
    shift 2
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wpedantic -Werror "$@" -I"$headers" "$here/protocol_threads.c" -pthread -o "$program"
}
# shellcheck disable=SC2086 # words or none
seen() { TSAN_OPTIONS=halt_on_error=1 timeout 60 $calm "$@"; }

check "it builds" build "$place/plain" "$here/.."
check "and with the sanitizer" build "$place/tsan" "$here/.." -fsanitize=thread
for program in plain tsan; do
    for ranks in 1 2 3 4 7; do
        check "$program: flags, $ranks ranks" seen "$place/$program" "$ranks" flags 8 1 800
        check "$program: pieces, $ranks ranks" seen "$place/$program" "$ranks" flags 4 3 400
        check "$program: words, $ranks ranks" seen "$place/$program" "$ranks" words 8 1 800
        check "$program: words of fp32, $ranks ranks" seen "$place/$program" "$ranks" words 4 2 400
        check "$program: sums, $ranks ranks" seen "$place/$program" "$ranks" sums 8 1 800
    done
    check "$program: who was waited for" ends 0 "rank 1 waited for rank 2 in vain" seen "$place/$program" 4 flags 8 2 100 2
    check "$program: of a sum" ends 0 "rank 2 waited for rank 1 in vain" seen "$place/$program" 4 sums 8 1 100 1
    check "$program: and with words" ends 0 "rank 2 waited for rank 0 in vain" seen "$place/$program" 3 words 8 1 100 0
done

# The mutant is another text than the protocol, builds, and fails.
caught() { # SED ARGS-OF-PROGRAM...
    script=$1
    shift
    rm -rf "$place/mutant"
    mkdir "$place/mutant"
    cp "$here/../protocol.h" "$here/../memory_order.h" "$place/mutant"
    sed -i "$script" "$place/mutant/protocol.h" "$place/mutant/memory_order.h"
    cat "$here/../protocol.h" "$here/../memory_order.h" >"$place/both"
    ! cat "$place/mutant/protocol.h" "$place/mutant/memory_order.h" | cmp -s - "$place/both" ||
        { echo "the mutant is the protocol: $script"; return 1; }
    build "$place/mutant/run" "$place/mutant" -fsanitize=thread -Wno-unused || return 1
    ! seen "$place/mutant/run" "$@" >"$place/mutant/said" 2>&1 || { echo "nobody noticed"; return 1; }
    grep -q 'data race\|wrong entry\|wrong sum\|in vain' "$place/mutant/said" || { cat "$place/mutant/said"; return 1; }
}
count='l.count'
check "mutant: the flag before the data" caught '/^    put_entries(p/{h;d};/^    if (thread == 0) memory_signal/{G}' 3 flags 8 1 800
check "mutant: one half" caught 's/epoch % 2/0 * epoch/' 3 flags 8 1 800
check "mutant: one half, words" caught 's/epoch % 2/0 * epoch/' 3 words 8 1 2000
check "mutant: no flag where nothing is sent" caught "s/^    if (thread == 0) memory_signal/    if ($count) memory_signal/" 3 flags 8 1 800
check "mutant: and nobody waits for it" caught "s/^    if (thread == 0) memory_signal/    if ($count) memory_signal/
    s/while (!reached/while (p->mail[from].count \&\& !reached/" 3 flags 8 1 800
check "mutant: no word where nothing is sent" caught 's/if (l->count == 0 .*/;/;s/if (m->count == 0 .*/;/' 3 words 8 1 4000
check "mutant: a stale epoch" caught 's/while (!reached(memory_see(&p->mail\[from\].flags\[i % p->pieces\]), epoch/& - 1/' 3 flags 8 1 800
check "mutant: a stale word" caught 's/>> 32) != epoch)/>> 32) != epoch \&\& (uint32_t)(word >> 32) != epoch - 2)/' 3 words 8 1 800
# Somebody else runs before each store: what is not ordered comes late.
late='s/__atomic_store_n(/sched_yield(), &/'
check "mutant: the second half of an entry unseen" caught "$late"'
    s/= wait_for_word(at + 1, .*/= (uint32_t)memory_get_word(at + 1);/' 3 words 8 1 800
check "mutant: a flag without release" caught 's/__ATOMIC_RELEASE/__ATOMIC_RELAXED/' 3 flags 8 1 800
check "mutant: a flag without acquire" caught 's/__ATOMIC_ACQUIRE/__ATOMIC_RELAXED/' 3 flags 8 1 800
check "mutant: not waited for" caught 's/const int who = wait_for_flags.*/const int who = 0;/' 3 flags 8 1 800
check "mutant: one flag for all pieces" caught "$late;"'s/flags\[piece\]/flags[0]/;s/flags\[i % p->pieces\]/flags[0]/' 3 flags 8 3 800
check "mutant: one piece waited for" caught "$late;"'/^DIST_FN int wait_for_flags/,/^}/s/= thread; \(.*\); i/= thread + p->pieces - 1; \1; i += p->pieces - 1, i/' 3 flags 8 3 800
check "mutant: one half, sums" caught '/^DIST_FN int protocol_sum/,/^}/s/epoch % 2/0 * epoch/' 3 sums 8 1 4000
check "mutant: a stale sum" caught 's/>> 32) != epoch)/>> 32) != epoch \&\& (uint32_t)(word >> 32) != epoch - 2)/' 3 sums 8 1 800
check "mutant: sums in an order of each rank's" caught 's/for (int k = 0; k < p->ranks; ++k) sum += k == p->rank/for (int j = 0, k = p->rank; j < p->ranks; ++j, k = (k + 1) % p->ranks) sum += k == p->rank/' 3 sums 8 1 800
check "mutant: a rank left out of a sum" caught 's/sum += k == p->rank ? values\[c\]/sum += k == p->rank ? 0/' 3 sums 8 1 800
check "mutant: the wrong rank is named" caught 's/return 1 + from/return 1 + i/' 4 flags 8 1 100 2
check "mutant: a word of another message" caught 's/\[i\], word_of/[0], word_of/' 3 words 4 1 800

tally
