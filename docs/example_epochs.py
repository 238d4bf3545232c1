"""example_epochs.py - two ranks that write into each other's memory (distributed/protocol.h), carried out by hand.

Rank 0 is quick, rank 1 slow.  Three epochs, in ticks of no unit; refused if mail is written where a rank still reads.
"""
from example import Picture
from tables import Mistake

PUT, TAKE = (2, 2), (1, 4)  # ticks of rank 0 and of rank 1: to put, to take
START = (0, 1)              # rank 1 comes late
EPOCHS = (1, 2, 3)
IDEAS, CHINESE = {}, {}


def run_epochs():
    """Of each rank, an epoch each: when its put begins, its flag is there, it has seen the other's, it has taken."""
    times, now = ([], []), list(START)
    for _ in EPOCHS:
        begin = list(now)
        flag = [begin[rank] + PUT[rank] for rank in (0, 1)]
        for rank in (0, 1):
            seen = max(flag)
            now[rank] = seen + TAKE[rank]
            times[rank].append((begin[rank], flag[rank], seen, now[rank]))
    for before, after in zip(EPOCHS, EPOCHS[2:]):  # the same half
        for writer, reader in ((0, 1), (1, 0)):
            if times[writer][after - 1][0] < times[reader][before - 1][3]:
                raise Mistake(f"example_epochs.py: rank {writer} writes epoch {after} where {before} is being read")
    return times


def draw_epochs(example):
    """The ranks' time from left to right, flags as arrows; below, what lies in the two halves of rank 1's window."""
    p, times = Picture(), run_epochs()

    def stretch(begin, end, y, epoch, text):
        p.box(3 + (begin + end) / 2, y, epoch, text, (end - begin) / 2 - 0.06)

    for rank, y in ((0, 1), (1, 3.4)):
        p.word(1, y, f"rank {rank}")
        for epoch, (begin, flag, seen, taken) in zip(EPOCHS, times[rank]):
            stretch(begin, flag, y, epoch, f"put {epoch}")
            if seen > flag:
                stretch(flag, seen, y, None, "")
            stretch(seen, taken, y, epoch, f"take {epoch}" if taken - seen > 1 else "")
            p.arrow(3 + flag, y + (0.5 if rank == 0 else -0.5), 3 + flag, 2.86 if rank == 0 else 1.54)
    for half, y in ((1, 5.2), (0, 6.3)):
        p.word(1, y, f"half {half}")
        for epoch in EPOCHS:
            if epoch % 2 == half:
                stretch(times[0][epoch - 1][0], times[1][epoch - 1][3], y, epoch, f"mail of epoch {epoch}")
    return p


PICTURES = {"07_epochs": draw_epochs}
