#!/usr/bin/env bash
# The tests of the packages and of what runs avow in pipelines use the programs that their
# users have. Present: nothing to do. Root on a system with apt-get: install what is missing.
# Otherwise: say what is missing and fail, because the tests would fail one by one.
set -euo pipefail

# The program, and the package of Debian that has it.
wanted=(pre-commit:pre-commit curl:curl dpkg:dpkg rpm:rpm rpm2archive:rpm systemd-analyze:systemd systemd-sysusers:systemd mandoc:mandoc unshare:util-linux node:nodejs npm:npm)

missing=()
for pair in "${wanted[@]}"; do
  command -v "${pair%%:*}" >/dev/null 2>&1 || missing+=("${pair##*:}")
done
if [ "${#missing[@]}" -eq 0 ]; then
  exit 0
fi

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "ensure-packaging: installing ${missing[*]}, which the tests of packages use" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q >&2 || true
  apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 || true
fi

for pair in "${wanted[@]}"; do
  if ! command -v "${pair%%:*}" >/dev/null 2>&1; then
    echo "ensure-packaging: error: no ${pair%%:*} found; the tests of packages need it" >&2
    echo "ensure-packaging: hint: install ${pair##*:} from your system's packages" >&2
    exit 1
  fi
done
