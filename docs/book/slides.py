#!/usr/bin/env python3
"""slides.py CHAPTER: a chapter as slides in Markdown, on standard output: make slides N=1 makes HTML of them by pandoc.

The question and the picture are those of the chapter's page.  Each step on the short way (--steps: those that are
named) has two slides: the problem, the change with its first lines of code and the prediction, from the head
comment of its file; then the recorded time beside that of the step it is from, and what is still wrong.  Exercises
come last.
"""
import argparse
import pathlib
import re
import subprocess
import sys

LINES = 8  # of a step's code on a slide


def head(path):
    """The labels of a head comment."""
    text = path.read_text(encoding="utf-8").partition("*/")[0]
    found = re.findall(r"^ \* ([A-Z][a-z]+) +(.*(?:\n \*   .*)*)", text, re.MULTILINE)
    plain = {label: " ".join(words.replace("\n *", " ").split()) for label, words in found}
    return {label: re.sub(r" *\(-> v\d+\)$", "", words) for label, words in plain.items()}


def steps_of(chapter):
    """The chapter's steps: {id: (file, parent, idea, whether it is on the short way)}."""
    listed = subprocess.run(["common/workshop/tools/steps.sh", "list", chapter], stdout=subprocess.PIPE, text=True,
                            check=True)
    steps = {}
    for line in listed.stdout.splitlines():
        step, parent, _, idea, short = line.split("\t")
        file = next(path for path in pathlib.Path(chapter).rglob("v*.cu")
                    if re.match(f"v0?{step[1:]}_", path.name) and not path.name.endswith("_plan.cu"))
        steps[step] = (file, parent if parent != "-" else None, idea, short == "*")
    return steps


def times_of(chapter):
    """Recorded times: {case: {step: us}}."""
    cases, names = {}, []
    record = pathlib.Path("plots/data/h200") / f"{chapter}.tsv"
    for line in record.read_text(encoding="utf-8").splitlines() if record.exists() else []:
        cells = line.split("\t")
        if cells[0] == "chapter":
            names = cells
        elif not line.startswith("#"):
            row = dict(zip(names, cells))
            if row["status"] == "ok" and row["cold_us"] != "-" and row["kind"] == "gpu":
                cases.setdefault(f"{row['case']} {row['dtype']}", {})[row["step"]] = float(row["cold_us"])
    return cases


def added(new, old):
    """The first lines that a file has and the other has not; of a first step those of its kernel."""
    plain = {line.strip() for line in old.read_text(encoding="utf-8").splitlines()} if old else set()
    code = new.read_text(encoding="utf-8").partition("*/" if old else "__global__")[2].splitlines()[1:]
    own = re.compile(new.name.split("_")[0].replace("v0", "v") + r"(\b|_)")
    lines = [line for line in code if line.strip() not in plain and len(line.strip()) > 2 and not own.search(line)]
    return lines[:LINES]


def result(step, parent, times):
    """The recorded times of a step and the one before, a line a case."""
    out = [f"- {case}: {t[step]:.1f} µs" + (f", {parent} {t[parent]:.1f} µs: {t[parent] / t[step]:.2f} times as fast"
                                            if parent in t else "") for case, t in times.items() if step in t]
    return out[:6] or ["- no recorded time"]


def slides(chapter, chosen):
    """All slides, as lines."""
    page = pathlib.Path("docs") / f"{chapter}.md"
    text = page.read_text(encoding="utf-8")
    title = re.search(r"^# (.*)$", text, re.MULTILINE)[1]
    paragraphs = [p for p in text.split("\n\n") if p and p[0] not in "#<!|[" and not p.startswith("    ")]
    picture = re.search(r"!\[([^\]]*)\]\(\.\./([^)]*)\)", text)
    steps, times = steps_of(chapter), times_of(chapter)
    out = [f"% {title}", "", "# The question", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraphs[0]), ""]
    if picture:
        out += ["# In a picture", "", f"![]({picture[2]})", "", "::: notes", " ".join(picture[1].split()), ":::", ""]
    for step in chosen or [step for step in steps if steps[step][3]]:
        path, parent, idea, _ = steps[step]
        about = head(path)
        out += [f"# {step}: {idea}", ""]
        out += [f"**Problem.** {about['Was']}", ""] if "Was" in about else []
        out += [f"**Change.** {about['Idea']}", "", "```cpp"]
        out += [*added(path, steps[parent][0] if parent else None), "```", ""]
        out += [f"**Prediction.** {about['Expect']}", ""]
        out += ["::: notes", f"make diff N={chapter[1]} V={step[1:]}   (from {parent or 'nothing'})", ":::", ""]
        out += [f"# {step}: result, on an H200", "", *result(step, parent, times), ""]
        out += [f"**Remaining problem.** {about['Still']}", ""] if "Still" in about else []
    small = [re.search(r" - (.*)$", p.read_text(encoding="utf-8"), re.MULTILINE)[1]
             for p in sorted(pathlib.Path(chapter, "practice").glob("p?_*.cu"))]
    out += ["# Exercises", "", f"Small ones, `make watch N={chapter[1]}`:", "", *(f"- {title}" for title in small), "",
            f"Large ones: `make exercise N={chapter[1]} E=1`, `E=2`"]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapter", help="its folder: 01_reduce")
    parser.add_argument("--steps", default="", help="these steps, not those on the way to the best: 1 2 3")
    a = parser.parse_args()
    chosen = ["v" + s.lstrip("v") for s in a.steps.split()]
    known = steps_of(a.chapter)
    for step in chosen:
        if step not in known:
            sys.exit(f"slides: chapter {a.chapter[:2]} has no step {step}: it has {', '.join(known)}")
    print("\n".join(slides(a.chapter, chosen)))


if __name__ == "__main__":
    main()
