"""example_acts.py - the map of chapter 07: which step grew from which, an act a line (plots/07_acts.gp)."""
from lesson import chapter_of, short_way

CHINESE = {}
PAGE = "07_load_balance"


class Map:
    """An act's first step stands one column behind the step it is from; each other step, behind the one before it."""

    def lines(self):
        """A line for each step: where it stands, where the step it is from stands, 1 on the short way."""
        chapter, short = chapter_of(PAGE), short_way(PAGE).split(", ")
        place, acts, lines = {}, [], ["step\tx\tact\tfrom_x\tfrom_act\tshort\tname"]
        for step in sorted(chapter.files, key=lambda v: int(v[1:])):
            act = chapter.files[step][".cu"].path.parent.name
            parent = place.get(chapter.parent(step))
            if act not in acts:
                acts.append(act)
                x = parent[0] + 1 if parent else 1
            else:
                x += 1
            place[step] = (x, len(acts))
            lines.append("\t".join(map(str, (step, x, len(acts), *(parent or place[step]), int(step in short), act))))
        return lines


PICTURES = {"07_acts": lambda _: Map()}
