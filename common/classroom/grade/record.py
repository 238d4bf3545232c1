"""record.py - reads a results file of grade (make grade, make leaderboard).

Its texts are not trusted: a program that displays them must escape them.
"""
import json
import re


def read_record(path):
    """The header and the rows; both are empty if the file is missing or broken."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        return record["meta"], record["rows"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}, []


def read_lines(meta):
    """The marks line by line: points, of, bonus, what, why."""
    lines = []
    for i in range(1, 100):
        found = re.match(r"(-?\d+)/(\d+)( bonus)? (.*)", meta.get(f"line_{i}", ""), re.DOTALL)
        if not found:
            break
        why = meta.get(f"why_{i}", "-")
        why = "" if why == "-" else why
        what = found[4].removesuffix(": " + why) if why else found[4]
        lines.append({"points": int(found[1]), "of": int(found[2]), "bonus": bool(found[3]), "why": why, "what": what})
    return lines
