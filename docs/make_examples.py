#!/usr/bin/env python3
"""Writes plots/data/examples/NAME.tsv, which the pictures of worked examples are drawn from (plots/boxes.gpi).

A module of worked examples (example.py) has a table PICTURES: name, and what gives the lines of that record.
"""
import argparse
import pathlib
import sys

sys.dont_write_bytecode = True
from example import LITTLE
from make_pages import EXAMPLES

RECORDS = pathlib.Path("plots/data/examples")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, say which records differ")
    check = parser.parse_args().check
    made = {}
    for modules in EXAMPLES.values():
        for module in modules:
            for name, draw in getattr(module, "PICTURES", {}).items():
                made[RECORDS / f"{name}.tsv"] = "\n".join(draw(LITTLE).lines()) + "\n"
    mistakes = [f"{record} is of no picture" for record in RECORDS.glob("*") if record not in made]
    for record, text in made.items():
        if record.is_file() and record.read_text() == text:
            continue
        if check:
            mistakes.append(f"{record} is not what the example gives: make docs")
        else:
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_text(text)
    print("".join(m + "\n" for m in mistakes), end="", file=sys.stderr)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
