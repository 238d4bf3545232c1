#!/bin/sh
# check_class.sh: tests what a class uses: results for Gradescope, make assignment, compile_commands.json, the dev
# container, the notebook.  An assignment from a bare Debian would take minutes, so bootstrap and make are replaced by
# fakes.
# shellcheck source=common/workshop/tests/tally.sh
. common/workshop/tests/tally.sh
grade=build/simt/bin/grade
skipped() { echo "[  SKIPPED ] $1"; }

# ---- results for Gradescope: valid JSON for any file name and content, with the points of the table.
json() { # FILE EXPRESSION: the expression is true for the content, r
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
partial() { # the reason is at the line of its group, and names a line of the file
    sed 's/v3/student/g; /__syncthreads/d' 01_reduce/v03_*.cu >"$place/broken.cu" && results "$place/broken.cu" 1 &&
        json "$place/results.json" 'r["score"] == 0 and "broken.cu:31" in r["tests"][0]["output"] and r["tests"][0]["status"] == "failed"'
}
hostile() { # a file name and a source with characters that JSON must escape
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
check 'a solution gets 100 points in the results for Gradescope' full
check 'a wrong submission gets its reasons with line numbers in the results for Gradescope' partial
check 'odd file names and sources give valid JSON for Gradescope' hostile
check 'an unreadable submission gets 0 points, and a fault of the grader writes no results' none

# ---- make assignment
in_repository() { (cd "$place/a b/repository" && "$@"); }
made() {
    ends 0 'gradescope.zip' make --no-print-directory assignment N=5 E=2 TO="$place/a b" COURSE=https://git.example.org/c.git &&
        in_repository cmp e2.cu "$PWD/05_spmv_vector/exercise2.cu" && in_repository sh -n grade.sh && in_repository test -x grade.sh &&
        in_repository grep -q 'COURSE:-https://git.example.org/c.git' grade.sh && in_repository grep -q '^## Exercise 2' README.md &&
        ! in_repository grep -q '^## Exercise 1\|](' README.md && ! in_repository grep -rq '@[A-Z]*@' .
}
zipped() { # contains what Gradescope requires, and the committed files of the course
    mkdir "$place/zip" && python3 -m zipfile -e "$place/a b/gradescope.zip" "$place/zip" && sh -n "$place/zip/setup.sh" &&
        sh -n "$place/zip/run_autograder" && tar -tzf "$place/zip/course.tar.gz" >"$place/list" || return 1
    grep -qx bootstrap "$place/list" && ! grep -q '^build/\|^work/' "$place/list" && git ls-tree -r --name-only HEAD | sed -n "1~7p" | while read -r f; do grep -Fqx "$f" "$place/list" || { echo "no $f"; exit 1; }; done
}
# The course's own workflows may run only programs that exist; one runs .ci/run, another builds the book and publishes
# it.
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
broken_workflow() { # the check must fail if a program does not exist
    mkdir -p "$place/flows" && cp .github/workflows/*.yml "$place/flows" &&
        sed -i 's|run: .ci/run|run: .ci/ran|' "$place/flows/test.yml" && ! own_workflows "$place/flows" 2>/dev/null
}
own() { own_workflows .github/workflows && broken_workflow; }
workflow() { python3 -c 'import sys, yaml; w = yaml.safe_load(open(sys.argv[1])); sys.exit(w["jobs"]["grade"]["steps"][2]["run"] != "./grade.sh")' "$place/a b/repository/.github/workflows/classroom.yml"; }
refused() { # TEXT ARGUMENTS: refuses with TEXT and makes no folder
    text=$1
    shift
    ends 64 "$text" common/classroom/grade/assignment.sh "$@" && [ ! -e "$place/new" ]
}
if git rev-parse HEAD >/dev/null 2>&1; then
    check 'make assignment writes the skeleton, the statement and grade.sh' made
    check 'gradescope.zip contains the scripts and the committed files of the course' zipped
    if python3 -c 'import yaml' 2>/dev/null; then check 'the workflow of an assignment is valid YAML and runs grade.sh' workflow; check "workflows of the course run programs that exist" own; else skipped 'PyYAML is not installed: the workflow was not parsed'; fi
    check 'make assignment refuses an existing folder' refused 'exists already' 5 1 "$place" ''
    check 'make assignment refuses an exercise that does not exist' refused 'no exercise 9' 5 9 "$place/new" ''
    check 'make assignment refuses an exercise that is not a number' refused 'N=5 E=1 TO=FOLDER' 5 '1;touch it' "$place/new" ''
    check 'make assignment refuses an invalid address of the course' refused 'must be the address of a git repository' 5 1 "$place/new" 'x"; touch it; "'
fi

# A fake course, which reads the points from the file, tests grade.sh and run_autograder.
fake() { # COMMAND: a fake bootstrap or make
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
    check 'grade.sh reports all points to GitHub Classroom' graded 100 0 '^::notice title=Autograding report::{"totalPoints": 100, "maxPoints": 100}'
    check 'grade.sh reports part of the points to GitHub Classroom' graded 40 1 '^::notice title=Autograding complete::Points 40/100'
    check 'GitHub does not obey commands in the output of a submission' muted
    check 'run_autograder grades a file with any name' autograded 70 'r["score"] == 70' "its own; name.cu"
    check 'run_autograder gives two files 0 points and a message' autograded 70 'r["score"] == 0 and "one file" in r["output"]' a.cu b.cu
    check 'run_autograder grades the file with the expected name out of two' autograded 60 'r["score"] == 60' a.cu e2.cu
    touch "$place/no_sandbox" "$place/a b/repository/.course/no_sandbox"
    check 'grade.sh grades without a sandbox if none is possible' graded 100 0 'Points 100/100'
    check 'run_autograder grades without a sandbox if none is possible' autograded 100 'r["score"] == 100' e2.cu
fi

# ---- compile_commands.json: the compiler of the build, clang and clangd accept a kernel and a C file of both back
# ends.
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
    check "compile_commands.json has a kernel and a C file for $backend" commands $backend "$toolkit" none "$kernel $host"
    if command -v clang++ >/dev/null 2>&1; then check "clang compiles a kernel by compile_commands.json for $backend" commands $backend "$toolkit" clang++ $kernel; fi
    if command -v clang >/dev/null 2>&1; then check "clang compiles a C file by compile_commands.json for $backend" commands $backend "$toolkit" clang $host; fi
    if command -v clangd >/dev/null 2>&1; then
        check "clangd finds no error in a kernel for $backend" by_clangd 01_reduce/v03_sequential.cu
        check "clangd finds no error in a C file for $backend" by_clangd common/lib/base/err.c
    else
        skipped 'clangd is not installed: editors are not tested'
    fi
done

# ---- the dev container: bootstrap installs its packages and builds nothing.
image() {
    python3 -m json.tool .devcontainer/devcontainer.json >/dev/null && grep -q '^RUN .*bootstrap packages' .devcontainer/Dockerfile && grep -q '^COPY bootstrap ' .devcontainer/Dockerfile || return 1
    mkdir -p "$place/tree" "$place/fakes" && cp bootstrap "$place/tree" || return 1
    printf '#!/bin/sh\nexit 1\n' >"$place/fakes/dpkg-query"
    printf '#!/bin/sh\nexit 0\n' >"$place/fakes/apt-cache"
    printf '#!/bin/sh\necho "$*" >>"%s/asked"\n' "$place" >"$place/fakes/apt-get"
    # shellcheck disable=SC2016 # for the fakes
    printf '#!/bin/sh\nwhile [ "$1" != env ]; do shift; done\nexec "$@"\n' >"$place/fakes/sudo"
    printf '#!/bin/sh\necho it was built; exit 1\n' >"$place/fakes/make"
    chmod +x "$place"/fakes/*
    PATH=$place/fakes:$PATH "$place/tree/bootstrap" packages && grep -q 'install.* gcc g++ make ' "$place/asked" && grep -q 'install.* clangd$' "$place/asked"
}
check 'the dev container installs the packages of bootstrap and builds nothing' image

# ---- the notebook: runs like a hosted one, in its own environment from PyPI, but installs no Debian packages.
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
if ready >"$place/venv" 2>&1; then check 'the notebook runs and prints what it shows' notebook; else skipped "the notebook was not executed: $(tail -n 1 "$place/venv")"; fi
tally
