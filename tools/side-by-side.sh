#!/usr/bin/env bash
# Prints the packages that the race detector has to look at: those whose code or tests
# start goroutines or share memory between them. With -v it prints all others; there is
# no second goroutine in them, and the detector would only make their tests slower. With a
# PATTERN it leaves out packages that have no function of that name in their tests.
#
# usage: tools/side-by-side.sh [-v] [PATTERN]
set -euo pipefail

want=0
if [ "${1:-}" = -v ]; then
  want=1
  shift
fi
pattern=${1:-.}
signs='^\s*go (func\b|[A-Za-z_.]+\()|\bsync\.(Mutex|RWMutex|WaitGroup|Pool|Cond)\b|"sync/atomic"|\.Go\('

go list -f '{{.ImportPath}} {{.Dir}}{{range .GoFiles}} {{.}}{{end}}{{range .TestGoFiles}} {{.}}{{end}}{{range .XTestGoFiles}} {{.}}{{end}}' ./... |
  while read -r pkg dir files; do
    cd "$dir"
    found=1
    if grep -qE "$signs" $files; then
      found=0
    fi
    if [ "$found" -eq "$want" ] && { [ "$pattern" = . ] || grep -qsE "^func ($pattern)" ./*_test.go; }; then
      echo "$pkg"
    fi
  done
