#!/usr/bin/env python3
"""play.py - runs of kernels as pages that one steps through: HTML files that need no server and no network.

  play.py CHAPTER --program FILE --step v2 [--step v3] --out FILE.html [-- OPTIONS]
  play.py CHAPTER --program FILE --all --out FOLDER

The first writes one page: a step, or two side by side from the same input.  The second writes a page for every step,
beside the step that it is from.  Without OPTIONS of the program each line of CHAPTER/play is a run: a step's page is of
the first one that it takes part in.  Drawn with d3-selection (Debian: node-d3-selection).
"""
import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import jinja2

import run

HERE = pathlib.Path(__file__).parent
D3 = pathlib.Path("/usr/share/nodejs/d3-selection/dist/d3-selection.min.js")
SCRIPTS = ("words.js", "film.js", "draw.js", "player.js")
MOST = 300 << 10  # bytes of a page


def page(title, runs, language):
    """The player of one run or two as HTML."""
    if not D3.exists():
        raise run.Mistake(f"{D3} is not here: ./bootstrap installs it (Debian: apt-get install node-d3-selection)")
    data = json.dumps([r.as_json() for r in runs], separators=(",", ":"), ensure_ascii=False)
    template = jinja2.Template((HERE / "player.html").read_text(encoding="utf-8"), keep_trailing_newline=True)
    return template.render(
        title=title, language=language, style=(HERE / "player.css").read_text(encoding="utf-8"),
        runs=data.replace("</", "<\\/"),
        scripts=[D3.read_text(encoding="utf-8")] + [(HERE / name).read_text(encoding="utf-8") for name in SCRIPTS])


def film(program, steps, options):
    """What the program writes with --film: its rows by step."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "film.tsv"
        command = [program, "--only", ",".join(steps), "--film", str(path), *options]
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if ended.returncode not in (0, 1):  # 1: a row failed, which is to be seen
            raise run.Mistake(ended.stderr.strip() or f"{program} ended with {ended.returncode}")
        rows = {}
        for r in run.read(path):
            rows.setdefault(r.step, r)  # the first case and type
        return rows


def films(chapter, program, steps, options):
    """A film for each run that is asked for, without options for each line of the chapter's file `play`."""
    lines = [shlex.join(options)] if options else (pathlib.Path(chapter) / "play").read_text().splitlines()
    return [film(program, steps, shlex.split(line)) for line in lines]


def usable(r):
    """That run, if there is something to see."""
    if r.cut:
        raise run.Mistake(f"{r.step} on {r.case} does more than a film can hold: take a smaller size or matrix")
    if not r.warps:
        raise run.Mistake("\n  ".join([f"{r.step} on {r.case} did nothing on the GPU: nothing to show", *r.why]))
    return r


def write(out, title, runs, language):
    """Writes a page; says where it is too large to be followed."""
    text = page(title, [usable(r) for r in runs], language).encode()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(text)
    if len(text) > MOST:
        print(f"{out}: {(len(text) + 1023) // 1024} KB, more than {MOST >> 10}: "
              "a smaller size or matrix is easier to follow", file=sys.stderr)


def refuse_unknown(a):
    """A step that the chapter does not have."""
    listed = subprocess.run([a.program, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout
    kernels = [line.split()[0] for line in listed.splitlines() if line.split()[1] == "gpu"]
    for step in a.step:
        if step not in kernels:
            plain = [k for k in kernels if k[1:].isdigit()]
            variants = [k for k in kernels if k.startswith(step.split("/")[0] + "/")]
            raise run.Mistake(f"there is no step {step} in chapter {a.chapter[:2]}: "
                              f"it has {plain[0]} to {plain[-1]}{''.join(', ' + v for v in variants)}")


def write_one(a):
    """The steps that are asked for."""
    refuse_unknown(a)
    for rows in films(a.chapter, a.program, a.step, a.options):
        if all(step in rows for step in a.step):
            title = f"{a.chapter[:2]} {' · '.join(a.step)}"
            write(a.out, title, [rows[step] for step in a.step], a.language)
            print(f"{a.out}: open it in a browser")
            return
    raise run.Mistake(f"the simulator ran no kernel of {' and '.join(a.step)}"
                      f"{' with one input' if len(a.step) > 1 else ''}; "
                      f"make run N={a.chapter[1]} prints which steps it skips, and why")


def parents(chapter):
    """The step that each step is derived from; None."""
    table = subprocess.run(["common/workshop/tools/steps.sh", "list", chapter], stdout=subprocess.PIPE, text=True,
                           check=True)
    pairs = [line.split("\t")[:2] for line in table.stdout.splitlines()]
    return {step: None if parent == "-" else parent for step, parent in pairs}


def write_all(a):
    """Every step beside its parent: OUT/01_v2.html."""
    done = {}
    for rows in films(a.chapter, a.program, ["v?", "v??"], a.options):
        for step, parent in parents(a.chapter).items():
            if step in rows and step not in done:
                done[step] = [rows[parent], rows[step]] if parent in rows else [rows[step]]
    for number, (step, runs) in enumerate(done.items()):
        if sys.stderr.isatty():
            print(f"\r\033[K{a.chapter} {step} ({number + 1} of {len(done)})", end="", file=sys.stderr, flush=True)
        name = a.chapter[:2]
        write(a.out / f"{name}_{step}.html", f"{name} {' · '.join(r.step for r in runs)}", runs, a.language)
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapter", help="its folder: 01_reduce")
    parser.add_argument("--program", required=True, help="the chapter's program, built for the simulator")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--step", action="append", help="a step, or two")
    what.add_argument("--all", action="store_true", help="every step")
    parser.add_argument("--out", required=True, type=pathlib.Path, help="the HTML file, or the folder, to write")
    parser.add_argument("--language", choices=("en", "zh"), default="en", help="to begin with (default: en)")
    words = sys.argv[1:]
    mine = words[:words.index("--")] if "--" in words else words
    a = parser.parse_args(mine)
    a.options = words[len(mine) + 1:]
    try:
        if a.all:
            write_all(a)
        else:
            write_one(a)
    except (run.Mistake, OSError) as e:
        sys.exit(f"play: {e}")


if __name__ == "__main__":
    main()
