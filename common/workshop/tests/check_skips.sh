#!/bin/sh
# check_skips.sh: skipped tests must be listed with their reasons, and .ci/run must fail on an unexpected one.  With fakes of
# apt-get and make, ./bootstrap must install optional packages in one call or else one by one, and name the missing ones.
# shellcheck source=common/workshop/tests/tally.sh
. "$(dirname "$0")/tally.sh"
unset SKIPS # .ci/run may have set it for the tests themselves
mkdir -p "$place/simt/bin" "$place/fakes" "$place/tree"
cat >"$place/simt/bin/test_mtx" <<'END'
#!/bin/sh
printf '[ RUN      ] real_matrices\n[  SKIPPED ] real_matrices\n[  PASSED  ] 2 test(s).\n[  SKIPPED ] 1 test(s), listed below:\n[  SKIPPED ] real_matrices\n'
END
sed 's/real_matrices/tiny/; s/real_matrices/tiny/; s/real_matrices/tiny/; /PASSED/s/2 test/0 test/' "$place/simt/bin/test_mtx" >"$place/simt/bin/test_all"
chmod +x "$place"/simt/bin/*
export SKIPPED="$place/skipped"
listed() { common/workshop/tests/run.sh --one "$place/simt/bin/$1" && common/workshop/tests/skipped.sh; }
check 'an expected skip is listed with its reason' ends 0 'simt/test_mtx real_matrices  *MATRIX_DIR names no' listed test_mtx
check 'a skip is listed once' ends 0 '^1$' sh -c 'common/workshop/tests/skipped.sh | grep -c real_matrices'
check '.ci/run accepts an expected skip' env SKIPS=expected common/workshop/tests/skipped.sh
check 'a program that skips all tests does not fail' ends 0 'test_all *0 passed, 0 failed' listed test_all
check 'an unexpected skip is marked as unexpected' ends 0 'simt/test_all tiny *not expected' common/workshop/tests/skipped.sh
check '.ci/run fails on an unexpected skip' ends 1 '1 skipped that should not be' env SKIPS=expected common/workshop/tests/skipped.sh
check 'a missing tool is named' ends 0 'codespell: skipped: it is not installed' common/workshop/tests/skipped.sh codespell 'it is not installed'
check '.ci/run fails on an unexpected missing tool' ends 1 'codespell it is not installed *not expected' env SKIPS=expected common/workshop/tests/skipped.sh
check 'a run without skips says so' ends 0 'nothing was skipped' env SKIPPED="$place/none" common/workshop/tests/skipped.sh
tools() { mkdir -p "$place/few" && for tool in sh dirname mktemp rm nproc mkdir printf stat sort; do ln -sf "$(command -v $tool)" "$place/few/"; done; PATH=$place/few common/workshop/tests/tools.sh valgrind && grep -q '^valgrind it is not' "$SKIPPED"; }
check 'tools.sh lists each missing tool' tools

# The fakes: no package is installed, apt-get cannot install qemu-user, and libsimde-dev does not exist.
cp bootstrap "$place/tree/"
fake() { cat >"$place/fakes/$1" && chmod +x "$place/fakes/$1"; }
echo 'exit 1' | fake dpkg-query
# shellcheck disable=SC2016 # the fakes' own
printf '#!/bin/sh\n[ "$2" != libsimde-dev ]\n' | fake apt-cache
printf '#!/bin/sh\necho "$*" >>"%s/asked"\ncase "$*" in *qemu-user*) exit 100 ;; esac\n' "$place" | fake apt-get
# shellcheck disable=SC2016 # the same
printf '#!/bin/sh\nwhile [ "$1" != env ]; do shift; done\nexec "$@"\n' | fake sudo
printf '#!/bin/sh\necho made "$@"\n' | fake make
bootstrapped() { PATH=$place/fakes:$PATH ends 0 "$1" "$place/tree/bootstrap" test; }
check 'bootstrap names the packages that it cannot install' bootstrapped 'continues without libsimde-dev (there is no such package), qemu-user (apt-get'
check 'bootstrap installs the other packages' grep -q 'install.* pandoc$' "$place/asked"
check 'bootstrap then calls make' bootstrapped 'made .*test'
printf '#!/bin/sh\necho "$*" >>"%s/at_once"\n' "$place" | fake apt-get
check 'bootstrap calls make if all packages can be installed' bootstrapped 'made .*test'
check 'bootstrap installs optional packages in one call' ends 0 '^1$' grep -c 'install.* \(pandoc\|qemu-user\|python3-wheel\)' "$place/at_once"
tally
