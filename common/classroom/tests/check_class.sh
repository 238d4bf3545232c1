#!/bin/sh
# check_class.sh: what a class and its editors get: Gradescope's results, make assignment, compile_commands.json, the image, the notebook.
# The whole way of an assignment, from a bare Debian, takes minutes and is not gone here: what it fetches and builds is made up.
# shellcheck source=common/workshop/tests/tally.sh
. common/workshop/tests/tally.sh
grade=build/simt/bin/grade
skipped() { echo "[  SKIPPED ] $1"; }

# ---- Gradescope's results: valid JSON whatever a file is called or says, and the points of the table.
json() { # FILE EXPRESSION: true of its content, r
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1], encoding="utf-8")); sys.exit(not eval(sys.argv[2]))' "$1" "$2" || { cat "$1"; return 1; }
    ! command -v jq >/dev/null 2>&1 || jq -e .tests "$1" >/dev/null
}
results() { # FILE STATUS
    $grade --build build/simt --unsandboxed --seed 1 --record "$place/r.json" 1 1 "$1" >"$place/said" 2>&1
    got=$?
    [ $got -eq "$2" ] && rm -f "$place/results.json" && common/classroom/grade/gradescope.py "$place/r.json" "$place/results.json" $got
}
full() {
    common/classroom/grade/solutions.sh "$place/solutions" && cp "$place/solutions/01_e1.cu" "$place/full.cu" && results "$place/full.cu" 0 &&
        json "$place/results.json" 'r["score"] == 100 == sum(t["score"] for t in r["tests"]) == sum(t["max_score"] for t in r["tests"])' &&
        json "$place/results.json" '{"name", "output", "score", "max_score", "status", "visibility"} <= set(r["tests"][0]) and r["tests"][0]["status"] == "passed"'
}
partial() { # the reason stands at its line, with the line of the file
    sed 's/v3/student/g; /__syncthreads/d' 01_reduce/v03_*.cu >"$place/broken.cu" && results "$place/broken.cu" 1 &&
        json "$place/results.json" 'r["score"] == 0 and "broken.cu:31" in r["tests"][0]["output"] and r["tests"][0]["status"] == "failed"'
}
hostile() { # a name and a source that nobody would hand in
    file=$place/$(printf '=a"b<script>\\n\n\303\251\377.cu')
    printf 'int x = "\302\233\342\200\256</script>\033[31m" +;\n#error "}]\\\\\n' >"$file"
    results "$file" 1 && json "$place/results.json" 'r["score"] == 0 and "not compile" in r["output"] and "error" in r["output"]' &&
        ! LC_ALL=C grep -q '[^ -~]' "$place/results.json"
}
none() {
    common/classroom/grade/gradescope.py "$place/none.json" "$place/no_file.json" 2 && json "$place/no_file.json" 'r["score"] == 0 and r["tests"] == []' &&
        common/classroom/grade/gradescope.py "$place/none.json" "$place/no_results.json" 3 && [ ! -e "$place/no_results.json" ] &&
        ends 1 'is not a results file of the grader' common/classroom/grade/gradescope.py "$place/none.json" "$place/no_results.json" 0
}
check 'Gradescope: all points' full
check 'Gradescope: reasons' partial
check 'Gradescope: hostile names and sources' hostile
check 'Gradescope: nothing to mark, nothing marked' none

# ---- make assignment
in_repository() { (cd "$place/a b/repository" && "$@"); }
made() {
    ends 0 'gradescope.zip' make --no-print-directory assignment N=5 E=2 TO="$place/a b" COURSE=https://git.example.org/c.git &&
        in_repository cmp e2.cu "$PWD/05_spmv_vector/exercise2.cu" && in_repository sh -n grade.sh && in_repository test -x grade.sh &&
        in_repository grep -q 'COURSE:-https://git.example.org/c.git' grade.sh && in_repository grep -q '^## Exercise 2' README.md &&
        ! in_repository grep -q '^## Exercise 1\|](' README.md && ! in_repository grep -rq '@[A-Z]*@' .
}
zipped() { # what Gradescope wants, and of the course what is committed
    mkdir "$place/zip" && python3 -m zipfile -e "$place/a b/gradescope.zip" "$place/zip" && sh -n "$place/zip/setup.sh" &&
        sh -n "$place/zip/run_autograder" && tar -tzf "$place/zip/course.tar.gz" >"$place/list" || return 1
    grep -qx bootstrap "$place/list" && ! grep -q '^build/\|^work/' "$place/list" && git ls-tree -r --name-only HEAD | sed -n "1~7p" | while read -r f; do grep -Fqx "$f" "$place/list" || { echo "no $f"; exit 1; }; done
}
# The course's own workflows: one runs .ci/run, one builds the book and publishes it; what they run is here, and a file.
own_workflows() { # FOLDER
    python3 - "$1" <<'END'
import glob, os, sys, yaml
seen = set()
for path in sorted(glob.glob(sys.argv[1] + "/*.yml")):
    workflow = yaml.safe_load(open(path, encoding="utf-8"))
    for job in workflow["jobs"].values():
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), (path, step)
            word = step.get("run", step.get("uses", "")).split()[0]
            seen.add(step.get("run", word.split("@")[0]))
            assert "/" not in word or "uses" in step or os.access(word, os.X_OK), f"{path}: {word} is no program here"
missing = {".ci/run", "./bootstrap book", "actions/deploy-pages"} - seen
sys.exit(f"no workflow runs {', '.join(sorted(missing))}" if missing else 0)
END
}
broken_workflow() { # seen failing: a program that is not there
    mkdir -p "$place/flows" && cp .github/workflows/*.yml "$place/flows" &&
        sed -i 's|run: .ci/run|run: .ci/ran|' "$place/flows/test.yml" && ! own_workflows "$place/flows" 2>/dev/null
}
own() { own_workflows .github/workflows && broken_workflow; }
workflow() { python3 -c 'import sys, yaml; w = yaml.safe_load(open(sys.argv[1])); sys.exit(w["jobs"]["grade"]["steps"][2]["run"] != "./grade.sh")' "$place/a b/repository/.github/workflows/classroom.yml"; }
refused() { # TEXT ARGUMENTS: and nothing is made
    text=$1
    shift
    ends 64 "$text" common/classroom/grade/assignment.sh "$@" && [ ! -e "$place/new" ]
}
if git rev-parse HEAD >/dev/null 2>&1; then
    check 'an assignment' made
    check 'the zip' zipped
    if python3 -c 'import yaml' 2>/dev/null; then check 'the workflow is YAML' workflow; check "the course's workflows" own; else skipped 'PyYAML is not installed: the workflow was not parsed'; fi
    check 'a folder that is there' refused 'exists already' 5 1 "$place" ''
    check 'no such exercise' refused 'no exercise 9' 5 9 "$place/new" ''
    check 'no number' refused 'N=5 E=1 TO=FOLDER' 5 '1;touch it' "$place/new" ''
    check 'an address that is none' refused 'must be the address of a git repository' 5 1 "$place/new" 'x"; touch it; "'
fi

# grade.sh and run_autograder with a course that is made up: it marks a file by what it says.
fake() { # COMMAND: for bootstrap and make
    cat >"$1" <<'END'
#!/bin/sh
for word; do case $word in GRADESCOPE=*) to=${word#*=} ;; STUDENT=*) file=${word#*=} ;; UNSANDBOXED=yes) open=yes ;; esac; done
[ "${open-}" ] || [ ! -e no_sandbox ] || { echo 'no sandbox'; exit 2; }
read -r points <"$file"
echo "::error::mine"
echo "{\"score\": $points, \"tests\": []}" >"$to"
[ "$points" = 100 ]
END
    chmod +x "$1"
}
graded() { # POINTS STATUS TEXT
    in_repository mkdir -p .course && fake "$place/a b/repository/.course/bootstrap" && echo "$1" >"$place/a b/repository/e2.cu" &&
        GITHUB_ACTIONS=1 && export GITHUB_ACTIONS && ends "$2" "$3" in_repository ./grade.sh
}
muted() { awk '/^::stop-commands::/ {token = substr($0, 18); next} token && $0 == "::" token "::" {token = ""; next} /^::error/ && !token {bad = 1} END {exit bad}' "$place/out"; }
autograded() { # POINTS EXPRESSION FILE...
    points=$1 expression=$2
    rm -rf "$place/autograder" && mkdir -p "$place/autograder/course" "$place/autograder/submission" "$place/autograder/results" "$place/fakes" && fake "$place/fakes/make"
    [ ! -e "$place/no_sandbox" ] || touch "$place/autograder/course/no_sandbox"
    shift 2
    for file; do echo "$points" >"$place/autograder/submission/$file"; done
    AUTOGRADER=$place/autograder PATH=$place/fakes:$PATH sh "$place/zip/run_autograder"
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); sys.exit(not eval(sys.argv[2]))' "$place/autograder/results/results.json" "$expression"
}
if [ -d "$place/zip" ]; then
    check 'grade.sh, all points' graded 100 0 '^::notice title=Autograding report::{"totalPoints": 100, "maxPoints": 100}'
    check 'grade.sh, not all' graded 40 1 '^::notice title=Autograding complete::Points 40/100'
    check 'what a submission prints is no command' muted
    check 'run_autograder' autograded 70 'r["score"] == 70' "its own; name.cu"
    check 'run_autograder, two files' autograded 70 'r["score"] == 0 and "one file" in r["output"]' a.cu b.cu
    check 'run_autograder, two files, one of them ours' autograded 60 'r["score"] == 60' a.cu e2.cu
    touch "$place/no_sandbox" "$place/a b/repository/.course/no_sandbox"
    check 'grade.sh without a sandbox' graded 100 0 'Points 100/100'
    check 'run_autograder without a sandbox' autograded 100 'r["score"] == 100' e2.cu
fi

# ---- compile_commands.json: a kernel and a C file on both back ends, by clang, by clangd, and by the compiler of the build.
commands() { # BACKEND
    BACKEND=$1 CUDA_HOME=$2 common/workshop/tools/compile_commands.py "$place/compile_commands.json" "$1" common 01_reduce || return 1
    python3 - "$place/compile_commands.json" "$3" "$4" <<'END'
import json, shutil, subprocess, sys

path, compiler, wanted = sys.argv[1], sys.argv[2], sys.argv[3].split()
entries = {entry["file"]: entry for entry in json.load(open(path, encoding="utf-8"))}
for end in wanted:
    found = [entry for file, entry in entries.items() if file.endswith(end)]
    if not found:
        sys.exit(f"there is no {end}")
    words = found[0]["arguments"]
    if shutil.which(compiler) is None:
        continue
    words = words if compiler == "as built" else [compiler, *words[1:]]
    words = [word for word in words if not word.startswith("-M")]
    words = words[:words.index("-o")] if "-o" in words else words
    done = subprocess.run([*words, "-fsyntax-only"], cwd=found[0]["directory"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{end}: {' '.join(words)}\n{done.stderr[:2000]}")
END
}
by_clangd() { # FILE
    clangd --compile-commands-dir="$place" --check="$1" >"$place/said" 2>&1
    grep '^E' "$place/said"
    grep -q 'All checks completed, 0 errors' "$place/said"
}
toolkit=
for nvcc in build/toolkit/bin/nvcc /usr/local/cuda/bin/nvcc "$(command -v nvcc)"; do
    [ ! -x "$nvcc" ] || toolkit=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
done
for backend in simt cuda; do
    [ $backend = simt ] || [ -n "$toolkit" ] || { echo "nvcc is not installed: no commands for cuda"; continue; }
    kernel=/01_reduce/v03_sequential.cu host=/common/lib/base/err.c
    check "commands for $backend" commands $backend "$toolkit" none "$kernel $host"
    if command -v clang++ >/dev/null 2>&1; then check "$backend: a kernel, by clang" commands $backend "$toolkit" clang++ $kernel; fi
    if command -v clang >/dev/null 2>&1; then check "$backend: C, by clang" commands $backend "$toolkit" clang $host; fi
    if command -v clangd >/dev/null 2>&1; then
        check "$backend: a kernel, by clangd" by_clangd 01_reduce/v03_sequential.cu
        check "$backend: C, by clangd" by_clangd common/lib/base/err.c
    else
        skipped 'clangd is not installed: no editor was asked'
    fi
done

# ---- the image: its packages are those of bootstrap, which installs them and builds nothing.
image() {
    python3 -m json.tool .devcontainer/devcontainer.json >/dev/null && grep -q '^RUN .*bootstrap packages' .devcontainer/Dockerfile && grep -q '^COPY bootstrap ' .devcontainer/Dockerfile || return 1
    mkdir -p "$place/tree" "$place/fakes" && cp bootstrap "$place/tree" || return 1
    printf '#!/bin/sh\nexit 1\n' >"$place/fakes/dpkg-query"
    printf '#!/bin/sh\nexit 0\n' >"$place/fakes/apt-cache"
    printf '#!/bin/sh\necho "$*" >>"%s/asked"\n' "$place" >"$place/fakes/apt-get"
    # shellcheck disable=SC2016 # the fakes' own
    printf '#!/bin/sh\nwhile [ "$1" != env ]; do shift; done\nexec "$@"\n' >"$place/fakes/sudo"
    printf '#!/bin/sh\necho it was built; exit 1\n' >"$place/fakes/make"
    chmod +x "$place"/fakes/*
    PATH=$place/fakes:$PATH "$place/tree/bootstrap" packages && grep -q 'install.* gcc g++ make ' "$place/asked" && grep -q 'install.* clangd$' "$place/asked"
}
check 'the image' image

# ---- the notebook, executed as a hosted one would, in an environment of its own from PyPI.  It installs nothing here.
python=build/notebook/bin/python
ready() {
    cmp -s docs/notebooks/requirements.txt build/notebook/installed && $python -c 'import nbclient, ipykernel' 2>/dev/null && return
    rm -rf build/notebook
    python3 -m venv build/notebook && $python -m pip install -q --disable-pip-version-check --retries 1 --timeout 20 -r docs/notebooks/requirements.txt &&
        cp docs/notebooks/requirements.txt build/notebook/installed
}
notebook() {
    mkdir -p "$place/installed" && printf '#!/bin/sh\necho install ok installed\n' >"$place/installed/dpkg-query" && chmod +x "$place/installed/dpkg-query" || return 1
    set -- 'no GPU' 'Wavefronts of shared memory' 'uninitialised memory: reads shared partial'
    [ ! -e /dev/nvidia0 ] || set -- 'a GPU' 'Time, µs'
    PATH=$place/installed:$PATH flock build/simt/student.lock $python common/classroom/tests/notebook_test.py docs/notebooks/01_reduce.ipynb "$@" \
        'sequential addressing' '+    for (unsigned s = blockDim.x / 2' 'your own'
}
if ready >"$place/venv" 2>&1; then check 'the notebook' notebook; else skipped "the notebook was not executed: $(tail -n 1 "$place/venv")"; fi
tally
