#!/bin/sh
# setup.sh: Gradescope runs this once to make the autograder's image: it installs what the course needs and builds the
# grader.
set -eu
mkdir -p /autograder/course
tar -xzf /autograder/source/course.tar.gz -C /autograder/course
cd /autograder/course
./bootstrap grader N=@N@ BACKEND=simt
