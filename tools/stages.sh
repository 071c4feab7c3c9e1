#!/usr/bin/env bash
# Runs make targets one after the other, all of them even if some fail, and says at the end how
# long each took, how much of the processors it used, and how many tests passed and failed:
# stages.sh TARGET...
# An argument with several words runs these side by side, so that what mostly waits does not keep a
# processor idle; a word may name several targets, with commas between them, which run one after the
# other. The first word's output is shown as it comes, the others' when a target ends.
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
  local target
  for target in ${1//,/ }; do
    timed "$target" >"$work/$target.out" 2>&1
    { flock 9; echo "== $target"; cat "$work/$target.out"; } 9>"$work/lock"
  done
}

for stages; do
  read -ra chains <<<"$stages"
  for chain in "${chains[@]:1}"; do
    aside "$chain" &
  done
  for target in ${chains[0]//,/ }; do
    echo "== $target"
    timed "$target"
  done
  wait
done

echo
printf '%-10s %9s %11s\n' stage seconds processors
stages=$*
for target in ${stages//,/ }; do
  echo "$target $(cat "$work/$target.time")"
done | awk -v all="$SECONDS" '{ printf "%-10s %8.0f %10.0f\n", $1, $2, $3 + $4; used += $3 + $4 }
     END { printf "%-10s %8.0f %10.0f\n\n", "all", all, used }'
failed=$(cd "$work" && ls | sed -n 's/\.failed$//p' | xargs)
if [ -n "$failed" ]; then
  echo "failed: $failed"
fi
awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed", p, f; if (s) printf ", %d skipped", s; print "" }' "$TALLY"
[ -z "$failed" ]
