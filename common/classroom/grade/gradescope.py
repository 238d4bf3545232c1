#!/usr/bin/env python3
"""gradescope.py RECORD RESULTS STATUS: writes results.json for Gradescope from a results file of grade.

STATUS is grade's exit status.  0 and 1: RECORD is the results file.  2: the submission could not be read and gets no
points.  Any other: no RESULTS is written, and Gradescope reports a fault of the grader.
Schema: Gradescope's documentation of autograders, "Output Format".  All texts are marked as plain text.
"""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
from record import read_lines, read_record


def results_of(meta):
    """The marks as Gradescope's tests; a line without points of its own is a test without a score."""
    tests = []
    for line in read_lines(meta):
        test = {"name": line["what"], "name_format": "text", "output": line["why"], "output_format": "text",
                "visibility": "visible"}
        if line["of"] > 0:
            test.update(score=line["points"], max_score=line["of"],
                        status="passed" if line["points"] == line["of"] else "failed")
        tests.append(test)
    said = [meta[key] for key in ("message", "printed") if meta.get(key, "-") != "-"]
    return {"score": int(meta["points"]), "output": "\n".join([meta["verdict"], *said]), "output_format": "text",
            "visibility": "visible", "stdout_visibility": "hidden", "tests": tests,
            "extra_data": {key: meta[key] for key in ("chapter", "exercise", "file", "seed", "commit", "sandbox")}}


def main():
    """Reads the results file and writes RESULTS."""
    record, results, status = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    if status == "2":
        found = {"score": 0, "output": "The file could not be read: hand in one .cu file of at most 256 KiB.",
                 "output_format": "text", "visibility": "visible", "tests": []}
    elif status in ("0", "1"):
        meta, _ = read_record(record)
        if not meta:
            return f"{record} is not a results file of the grader"
        found = results_of(meta)
    else:
        print(f"gradescope.py: {results} is not written, because the file could not be graded", file=sys.stderr)
        return ""
    try:
        results.write_text(json.dumps(found, indent=1) + "\n", encoding="ascii")
    except OSError as error:
        return f"cannot write {results}: {error.strerror}"
    return ""


if __name__ == "__main__":
    fault = main()
    sys.exit("gradescope.py: " + fault if fault else 0)
