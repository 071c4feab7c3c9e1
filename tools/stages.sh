#!/usr/bin/env bash
# Runs make targets one after the other, all of them even if some fail, and says at the end how
# long each took, how much of the processors it used, and how many tests passed and failed:
# stages.sh TARGET...
# An argument that names several targets runs these side by side, for those that mostly wait; what
# each prints is shown when it ends.
set -euo pipefail

work=$(mktemp -d)
export TALLY=$work/tally
touch "$TALLY"
trap 'rm -rf "$work"' EXIT
# A shell without job control lets what it started in the background ignore an interrupt.
trap 'trap - TERM; kill 0' INT TERM
TIMEFORMAT='%R %U %S'

# What the target itself writes to standard error goes where it would go without the clock.
timed() {
  { time "${MAKE:-make}" --no-print-directory "$1" 2>&3 || touch "$work/$1.failed"; } 3>&2 2>"$work/$1.time"
}
aside() {
  timed "$1" >"$work/$1.out" 2>&1
  { flock 9; echo "== $1"; cat "$work/$1.out"; } 9>"$work/lock"
}

for stages; do
  read -ra targets <<<"$stages"
  if [ "${#targets[@]}" -eq 1 ]; then
    echo "== $stages"
    timed "$stages"
    continue
  fi
  echo "== side by side: $stages"
  for target in "${targets[@]}"; do
    aside "$target" &
  done
  wait
done

echo
printf '%-10s %9s %11s\n' stage seconds processors
for target in $*; do
  echo "$target $(cat "$work/$target.time")"
done | awk -v all="$SECONDS" '{ printf "%-10s %8.0f %10.0f\n", $1, $2, $3 + $4; used += $3 + $4 }
     END { printf "%-10s %8.0f %10.0f\n\n", "all", all, used }'
failed=$(cd "$work" && ls | sed -n 's/\.failed$//p' | xargs)
if [ -n "$failed" ]; then
  echo "failed: $failed"
fi
awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed", p, f; if (s) printf ", %d skipped", s; print "" }' "$TALLY"
[ -z "$failed" ]
