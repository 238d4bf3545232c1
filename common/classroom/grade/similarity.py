"""similarity.py - finds submissions that resemble each other, a step of the course or one of its solutions.

Uses sim_c of Debian's similarity-tester, which compares tokens, so other names, comments and layout do not hide a copy.
Lines of the exercise's skeleton are removed first.
"""
import pathlib
import re
import resource
import shutil
import subprocess
import tempfile

LEAST = 40  # percent of a file that another file contains; below that all kernels resemble each other
MOST_BYTES, LARGE = 1 << 18, 1 << 14  # a large file is tried alone first: with many equal words sim_c takes hours
SECONDS, ALONE = 120, 2  # processor seconds: for all files together, and for a large one


def without(skeleton, source):
    """The source with the skeleton's lines of code emptied: the rest is the learner's."""
    code = [line for line in skeleton.splitlines() if re.search(rb"\w", line) and not re.search(rb"/\*|\*/", line)]
    given = {line.strip() for line in code}
    return b"\n".join(b"" if line.strip() in given else line for line in source.splitlines()) + b"\n"


def sim_c(folder, names, course, seconds):
    """The output of sim_c, which compares the files with each other and with those of the course."""
    def limits():
        """Limits sim_c, because it reads files that are not trusted."""
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    return subprocess.run(["sim_c", "-p", "-e", "-a", "-T", "-t", str(LEAST), "-i"], cwd=folder, text=True,
                          input="\n".join(names + ["/"] + course) + "\n", capture_output=True, check=True,
                          errors="replace", timeout=60 + seconds, preexec_fn=limits).stdout


def too_hard(folder, name):
    """Whether sim_c takes too long for this file alone."""
    try:
        sim_c(folder, [name], [name], ALONE)
    except subprocess.SubprocessError:
        return True
    return False


def of_the_course(chapter, n, folder):
    """[(path, its name on a page)]: the steps, and the solutions of the exercises, unpacked into the folder."""
    solutions = pathlib.Path(__file__).parent / "solutions.sh"
    subprocess.run([solutions, folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return ([(step, f"step {step.stem}") for step in sorted(chapter.glob("**/v*_*.cu"))] +
            [(path, f"the solution of exercise {path.stem.partition('_e')[2]}")
             for path in sorted(pathlib.Path(folder).glob(f"0{n}_e*.cu"))])


def similar(submissions, course, n, e):
    """[(submission, another one or the name of a file of the course, percent)], highest first; a sentence if none was
    compared; and the submissions that were left out, because sim_c does not finish with them."""
    if not shutil.which("sim_c"):
        return [], "sim_c is not installed (Debian: apt-get install similarity-tester), so no files are compared.", []
    chapter = next(iter(course.glob(f"0{n}_*")), course)
    skeleton = chapter / ("exercise.cu" if e == "1" else f"exercise{e}.cu")
    given = skeleton.read_bytes() if skeleton.exists() else b""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as unpacked:
        # Files are numbered, because their own names may be anything.
        whose, copies = {}, pathlib.Path(folder)
        for i, (source, who) in enumerate([(s.path, s) for s in submissions] + of_the_course(chapter, n, unpacked)):
            try:
                with open(source, "rb") as file:
                    (copies / f"{i}.c").write_bytes(without(given, file.read(MOST_BYTES)))
            except OSError:
                continue
            whose[f"{i}.c"] = who
        names = [name for name, who in whose.items() if not isinstance(who, str)]
        others = [name for name, who in whose.items() if isinstance(who, str)]
        hard = [name for name in names if (copies / name).stat().st_size > LARGE and too_hard(folder, name)]
        try:
            said = sim_c(folder, [name for name in names if name not in hard], others, SECONDS)
        except (OSError, subprocess.SubprocessError) as error:
            return [], f"sim_c did not finish ({type(error).__name__}), so the files were not compared.", []
    found = re.findall(r"^(\d+\.c) consists for (\d+) % of (\d+\.c) material$", said, re.MULTILINE)
    pairs = [(whose[one], whose[other], int(percent)) for one, percent, other in found]
    return sorted(pairs, key=lambda pair: -pair[2]), "", [whose[name] for name in hard]
