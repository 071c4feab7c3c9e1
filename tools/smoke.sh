#!/usr/bin/env bash
# Runs a test program for `go test -exec`, and then each fuzz target of its package for a
# number of executions. The program is the one that the tests need anyway: it has no
# instrumentation that would lead the fuzzer, which a moment makes no use of, and for which
# everything, SQLite included, would have to be compiled once more. Its random numbers are the same
# every time, so that a merge does not depend on luck.
#
# usage: go test -exec 'tools/smoke.sh EXECUTIONS' PACKAGE...
set -euo pipefail

executions=${1:?usage: tools/smoke.sh EXECUTIONS PROGRAM [ARGUMENT...]}
shift
"$@"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in $(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' ./*_test.go); do
  if ! GODEBUG=fuzzseed=1 "$1" -test.run '^$' -test.fuzz "^$target\$" -test.fuzztime "${executions}x" -test.parallel 1 \
    -test.fuzzminimizetime 10x -test.fuzzcachedir "$work/corpus" >"$work/log" 2>&1; then
    cat "$work/log"
    echo "fuzz: $target failed"
    exit 1
  fi
done
