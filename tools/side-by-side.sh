#!/usr/bin/env bash
# Prints the packages that the race detector has to look at: those whose code or tests
# start goroutines or share memory between them. With -v it prints all others; there is
# no second goroutine in them, and the detector would only make their tests slower.
#
# usage: tools/side-by-side.sh [-v]
set -euo pipefail

want=0
if [ "${1:-}" = -v ]; then
  want=1
fi
signs='^\s*go (func\b|[A-Za-z_.]+\()|\bsync\.(Mutex|RWMutex|WaitGroup|Pool|Cond)\b|"sync/atomic"|\.Go\('

go list -f '{{.ImportPath}} {{.Dir}}{{range .GoFiles}} {{.}}{{end}}{{range .TestGoFiles}} {{.}}{{end}}{{range .XTestGoFiles}} {{.}}{{end}}' ./... |
  while read -r pkg dir files; do
    cd "$dir"
    found=1
    if grep -qE "$signs" $files; then
      found=0
    fi
    if [ "$found" -eq "$want" ]; then
      echo "$pkg"
    fi
  done
