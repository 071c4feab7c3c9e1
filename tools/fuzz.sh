#!/usr/bin/env bash
# Runs every fuzz target of every package for a while, one after the other:
# `go test -fuzz` takes a single target of a single package at a time.
#
# usage: tools/fuzz.sh DURATION [PACKAGE...]
set -euo pipefail

duration=${1:?usage: tools/fuzz.sh DURATION [PACKAGE...]}
shift
if [ $# -eq 0 ]; then
  set -- ./...
fi

# `go test -list` prints the matching names of a package and then its `ok`
# line, which is where the package path is learnt.
targets=$(go test -list '^Fuzz' "$@" | awk '
  /^Fuzz/    { names[++n] = $1 }
  $1 == "ok" { for (i = 1; i <= n; i++) print $2, names[i]; n = 0 }')

if [ -z "$targets" ]; then
  echo "fuzz: no fuzz target found in $*" >&2
  exit 1
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

fuzz() {
  go test -run '^$' -fuzz "^$2\$" -fuzztime "$duration" -fuzzminimizetime 10x "$1" >"$log" 2>&1
}

# The fuzzing engine now and then reports its own deadline as a failure of the
# target. That is not a finding: no input is written. Only this case is tried
# again, once.
engine_deadline() {
  grep -q 'context deadline exceeded' "$log" && ! grep -q 'Failing input written' "$log"
}

count=0
while read -r pkg name; do
  echo "fuzz: $pkg $name ($duration)"
  if ! fuzz "$pkg" "$name" && ! { engine_deadline && fuzz "$pkg" "$name"; }; then
    cat "$log" >&2
    echo "fuzz: $pkg $name failed" >&2
    exit 1
  fi
  count=$((count + 1))
done <<<"$targets"
echo "fuzz: $count targets passed"
