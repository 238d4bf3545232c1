"""results.py - results files and their matrices, for check_verdict.py here and 07_load_balance/rows/limits.py."""
import os
import pathlib


def timed_rows(path):
    """The rows that are right and have a time with cold caches, {column: text} each."""
    names = []
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        cells = line.split("\t")
        if cells[0] == "chapter":
            names = cells
        elif not line.startswith("#"):
            row = dict(zip(names, cells))
            if row["status"] == "ok" and row["cold_us"] != "-":
                yield row


def matrix_of(case):
    """What --matrix takes for that case: its recipe, or its file in $MATRIX_DIR; None if there is no such file."""
    if ":" in case:
        return case
    path = pathlib.Path(os.environ.get("MATRIX_DIR", "build/matrices")) / f"{case}.mtx.gz"
    return str(path) if path.exists() else None
