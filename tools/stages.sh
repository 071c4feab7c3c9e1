#!/usr/bin/env bash
# Runs make targets one after the other, all of them even if some fail, and says at the end how
# long each took, how much of the processors it used, and how many tests passed and failed:
# stages.sh TARGET...
set -euo pipefail

TALLY=$(mktemp)
export TALLY
trap 'rm -f "$TALLY" "$TALLY.time"' EXIT
TIMEFORMAT='%R %U %S'
table= failed=()
for stage; do
  echo "== $stage"
  # What the stage itself writes to standard error goes where it would go without the clock.
  { time "${MAKE:-make}" --no-print-directory "$stage" 2>&3 || failed+=("$stage"); } 3>&2 2>"$TALLY.time"
  table+="$stage $(cat "$TALLY.time")"$'\n'
done

echo
awk 'BEGIN { printf "%-10s %9s %11s\n", "stage", "seconds", "processors" }
     NF { printf "%-10s %8.0f %10.0f\n", $1, $2, $3 + $4; real += $2; used += $3 + $4 }
     END { printf "%-10s %8.0f %10.0f\n\n", "all", real, used }' <<<"$table"
if [ "${#failed[@]}" -gt 0 ]; then
  echo "failed: ${failed[*]}"
fi
awk '{ p += $1; f += $2; s += $3 } END { printf "%d passed, %d failed", p, f; if (s) printf ", %d skipped", s; print "" }' "$TALLY"
[ "${#failed[@]}" -eq 0 ]
