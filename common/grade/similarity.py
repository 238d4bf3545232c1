"""similarity.py - which submissions resemble each other, or a step of the course: by sim_c of Debian's similarity-tester.

sim_c compares tokens: other names, comments and layout do not hide a copy.  What the skeleton of the exercise gives to
everybody is taken out before.
"""
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

LEAST = 40  # percent of a file that another one has, too: below that everybody's kernel resembles everybody's
MOST_BYTES, SECONDS = 1 << 18, 120


def without(skeleton, source):
    """The source with empty lines where the skeleton has the same line of code: what is left is the learner's."""
    code = [line for line in skeleton.splitlines() if re.search(rb"\w", line) and not re.search(rb"/\*|\*/", line)]
    given = {line.strip() for line in code}
    return b"\n".join(b"" if line.strip() in given else line for line in source.splitlines()) + b"\n"


def limits():
    """For sim_c, which reads what others wrote."""
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def similar(submissions, course, n, e):
    """[(submission, the other or the name of a step, percent)], most first, and a sentence if they are not known."""
    if not shutil.which("sim_c"):
        return [], "sim_c is not installed (Debian: apt-get install similarity-tester), so nobody has looked."
    chapter = next(iter(course.glob(f"0{n}_*")), course)
    skeleton = chapter / ("exercise.cu" if e == "1" else f"exercise{e}.cu")
    given = skeleton.read_bytes() if skeleton.exists() else b""
    with tempfile.TemporaryDirectory() as folder:
        # Files are called by number: their own names may be anything.
        whose, copies = {}, pathlib.Path(folder)
        for i, (source, who) in enumerate([(s.path, s) for s in submissions] +
                                          [(step, step.stem) for step in sorted(chapter.glob("**/v*_*.cu"))]):
            try:
                with open(source, "rb") as file:
                    (copies / f"{i}.c").write_bytes(without(given, file.read(MOST_BYTES)))
            except OSError:
                continue
            whose[f"{i}.c"] = who
        names = [name for name, who in whose.items() if not isinstance(who, str)]
        steps = [name for name, who in whose.items() if isinstance(who, str)]
        try:
            said = subprocess.run(["sim_c", "-p", "-e", "-a", "-T", "-t", str(LEAST), "-i"], cwd=copies, text=True,
                                  input="\n".join(names + ["/"] + steps) + "\n", capture_output=True, check=True,
                                  errors="replace", timeout=SECONDS, preexec_fn=limits).stdout
        except (OSError, subprocess.SubprocessError) as error:
            return [], f"sim_c did not finish ({type(error).__name__}), so nothing is known."
    found = re.findall(r"^(\d+\.c) consists for (\d+) % of (\d+\.c) material$", said, re.MULTILINE)
    pairs = [(whose[one], whose[other], int(percent)) for one, percent, other in found]
    return sorted(pairs, key=lambda pair: -pair[2]), ""
