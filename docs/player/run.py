"""run.py - a film that a program wrote (--film), as what the player reads.

A film has lines of tab-separated cells (common/simulator/simt/simt.h).  read(path) gives its rows, each a step's run:

  step, case, dtype, idea    of the row            counts   the table's, by the names of a record's columns
  why                        lines of the fault    fault    its events: [warp, event] of it, and of the access before it
  look                       {"From", "Was", "Expect"} of the head comment of the step's file, for its sentence
  launches, buffers          see below             files    the sources by name: lines from the first one that matters
  places                     [file, line]          event_names   the names of what events do
  warps                      [launch, block, warp, events], event: [place, what, bytes, buffer, lanes, offsets]

Offsets of more than one lane that stand at equal distances are [first, distance].
"""
import pathlib
import re


class Mistake(Exception):
    """A sentence for the user."""


def pack(offsets):
    """[first, distance] where the distances are equal."""
    if len(offsets) > 1:
        distance = offsets[1] - offsets[0]
        if all(b - a == distance for a, b in zip(offsets, offsets[1:])):
            return [offsets[0], distance]
    return offsets


def unpack(offsets, n):
    """What pack() has packed, for n lanes."""
    return offsets if len(offsets) > 2 else [offsets[0] + i * offsets[-1] for i in range(n)] if n > 1 else offsets


class Run:
    """One row of a film."""

    def __init__(self, step, case, dtype, idea):
        self.step, self.case, self.dtype, self.idea = step, case, dtype, idea
        self.counts, self.why, self.launches, self.buffers = {}, [], [], []
        self.places, self.event_names, self.warps, self.fault = [], [], [], None
        self.by_warp, self.cut = {}, False

    def what(self, name):
        if name not in self.event_names:
            self.event_names.append(name)
        return self.event_names.index(name)

    def event(self, launch, block, warp, place, name, size, buffer, lanes, offsets):
        key = (int(launch), int(block), int(warp))
        if key not in self.by_warp:
            self.by_warp[key] = [*key, []]
            self.warps.append(self.by_warp[key])
        self.by_warp[key][3].append([int(place), self.what(name), int(size), int(buffer), int(lanes, 16),
                                     pack([int(x) for x in offsets.split(",")])])

    def last(self, launch, block, thread, fits):
        """[warp, event] of the last event of that thread that fits; None."""
        for number, warp in enumerate(self.warps):
            if warp[:3] == [launch, block, thread // 32]:
                events = [i for i, e in enumerate(warp[3]) if e[4] >> thread % 32 & 1 and fits(e)]
                return [number, events[-1]] if events else None
        return None

    def someone(self, launch, block, thread, fault):
        """The last event since its block's barrier that touches what the fault does, by another thread."""
        where, barrier, found = fault[5][0], self.what("barrier"), None
        for number, warp in enumerate(self.warps):
            if warp[0] != launch or (warp[1] != block and self.buffers[fault[3]]["shared"]):
                continue
            for i, e in enumerate(warp[3]):
                lanes = [lane for lane in range(32) if e[4] >> lane & 1]
                if e[1] == barrier and warp[1] == block:
                    found = found if found and found[0] != number else None
                elif e is not fault and e[3] == fault[3] and any(
                        at <= where < at + e[2] and (warp[1], warp[2] * 32 + lane) != (block, thread)
                        for lane, at in zip(lanes, unpack(e[5], len(lanes)))):
                    found = [number, i]
        return found

    def resolve(self, cells):
        """The events of a fault, by where they are: launch block thread place [block thread file line]."""
        launch, block, thread, _ = (int(x) for x in cells[:4])
        name = self.what("fault")
        here = self.last(launch, block, thread, lambda e: e[1] == name)
        before = None
        if len(cells) > 4:
            place = [cells[6], int(cells[7])]
            before = self.last(launch, int(cells[4]), int(cells[5]),
                               lambda e: self.places[e[0]] == place and e[1] != name)
        if here and not before and self.warps[here[0]][3][here[1]][3] >= 0:
            before = self.someone(launch, block, thread, self.warps[here[0]][3][here[1]])
        self.fault = {"here": here, "before": before}

    def add(self, kind, cells):
        """A line of the film."""
        if kind == "count":
            self.counts[cells[0]] = float(cells[1])
        elif kind == "why":
            self.why.append(cells[0] if cells else "")
        elif kind == "launch":
            size = [int(x) for x in cells[2:8]]
            self.launches.append({"kernel": cells[1], "grid": size[:3], "block": size[3:]})
        elif kind == "place":
            self.places.append([cells[1], int(cells[2])])
        elif kind == "buffer":
            self.buffers.append({"name": cells[1], "shared": cells[2] == "shared", "bytes": int(cells[3])})
        elif kind == "event":
            self.event(*cells)
        elif kind == "fault":
            self.resolve(cells)
        elif kind == "cut":
            self.cut = True
        else:
            raise Mistake(f"a film has no lines called {kind!r}")

    def sources(self):
        """The files that its places are in: {name: [number of the first line, lines]}, from behind the head comment."""
        files = {}
        for name in sorted({name for name, _ in self.places}):
            path = pathlib.Path(name)
            lines = path.read_text(errors="replace").splitlines() if path.is_file() else []
            first = 1 + next((i for i, line in enumerate(lines) if "*/" in line), -1) \
                if lines and lines[0].startswith("/*") else 0
            used = [line for place, line in self.places if place == name]
            if min(used) <= first:
                first = 0
            if not name.split("/")[-1].startswith("v") and max(used) - min(used) + 40 < len(lines):
                first, lines = max(first, min(used) - 20), lines[:max(used) + 20]  # of a shared header what was used
            while first < len(lines) and not lines[first].strip():
                first += 1
            files[name] = [first + 1, lines[first:]]
        return files

    def look(self):
        """What the head comment of the step's file says under From, Was and Expect; {} where there is no such file."""
        found = [path for folder in {name.split("/")[0] for name, _ in self.places}
                 for path in sorted(pathlib.Path(folder).rglob("v*.cu"))
                 if re.match(f"v0?{self.step.split('/')[0][1:]}_", path.name) and not path.name.endswith("_plan.cu")]
        head = found[0].read_text(errors="replace").partition("*/")[0] if found else ""
        parts = re.findall(r"^ \* (From|Was|Expect) +(.*(?:\n \*   .*)*)", head, re.MULTILINE)
        return {label: " ".join(re.sub(r"\n \*", " ", text).split()) for label, text in parts}

    def as_json(self):
        names = ("step", "case", "dtype", "idea", "counts", "why", "launches", "buffers", "places", "event_names",
                 "warps",
                 "fault")
        return {name: getattr(self, name) for name in names} | {"files": self.sources(), "look": self.look()}


def read(path):
    """All rows of a film, in its order."""
    runs = []
    with open(path, encoding="utf-8") as film:
        for line in film:
            kind, *cells = line.rstrip("\n").split("\t")
            if kind == "row":
                runs.append(Run(*cells))
            elif runs:
                runs[-1].add(kind, cells)
            else:
                raise Mistake(f"{path} is no film: it does not begin with a row")
    return runs
