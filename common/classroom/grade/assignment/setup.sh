#!/bin/sh
# setup.sh: Gradescope runs this once, when the image of the autograder is made: installs what the course needs, builds the grader.
set -eu
mkdir -p /autograder/course
tar -xzf /autograder/source/course.tar.gz -C /autograder/course
cd /autograder/course
./bootstrap grader N=@N@ BACKEND=simt
