#!/usr/bin/env bash
# Runs every fuzz target of every package for a while, one after the other. The test
# program of a package is built once and not, as by `go test -fuzz`, for each target.
#
# usage: tools/fuzz.sh DURATION [PACKAGE...]
set -euo pipefail

duration=${1:?usage: tools/fuzz.sh DURATION [PACKAGE...]}
shift
if [ $# -eq 0 ]; then
  set -- ./...
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cache=$(go env GOCACHE)/fuzz # where `go test -fuzz` keeps what it found

fuzz() { # PACKAGE TARGET, in the folder of the package
  "$work/test" -test.run '^$' -test.fuzz "^$2\$" -test.fuzztime "$duration" -test.fuzzminimizetime 10x \
    -test.fuzzcachedir "$cache/$1" >"$work/log" 2>&1
}

# The fuzzing engine now and then reports its own deadline as a failure of the
# target. That is not a finding: no input is written. Only this case is tried
# again, once.
engine_deadline() {
  grep -q 'context deadline exceeded' "$work/log" && ! grep -q 'Failing input written' "$work/log"
}

go list -f '{{.ImportPath}} {{.Dir}}' "$@" >"$work/packages"
count=0
while read -r pkg dir; do
  if ! grep -qs '^func Fuzz' "$dir"/*_test.go; then
    continue
  fi
  go test -c -fuzz . -o "$work/test" "$pkg"
  cd "$dir"
  "$work/test" -test.list '^Fuzz' >"$work/targets"
  while read -r name; do
    echo "fuzz: $pkg $name ($duration)"
    if ! fuzz "$pkg" "$name" && ! { engine_deadline && fuzz "$pkg" "$name"; }; then
      cat "$work/log" >&2
      echo "fuzz: $pkg $name failed" >&2
      exit 1
    fi
    count=$((count + 1))
  done <"$work/targets"
  cd "$OLDPWD"
done <"$work/packages"

if [ "$count" -eq 0 ]; then
  echo "fuzz: no fuzz target found in $*" >&2
  exit 1
fi
echo "fuzz: $count targets passed"
