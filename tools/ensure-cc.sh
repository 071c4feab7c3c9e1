#!/usr/bin/env bash
# The race detector is linked with cgo and so needs a C compiler, which many
# small CI images lack. Present: nothing to do. Root on a system with apt-get:
# install one. Otherwise: say what is missing and fail, rather than run the
# tests without the detector and look as if nothing happened.
set -euo pipefail

cc=$(go env CC)

have_cc() {
  command -v "${cc%% *}" >/dev/null 2>&1
}

if have_cc; then
  exit 0
fi

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "ensure-cc: installing gcc, which the race detector needs" >&2
  export DEBIAN_FRONTEND=noninteractive
  # Without a package index there is nothing to install; the check below then
  # says what is missing.
  apt-get update -q >&2 || true
  apt-get install -q -y --no-install-recommends gcc libc6-dev >&2 || true
fi

if ! have_cc; then
  echo "ensure-cc: error: no C compiler ($cc) found; go test -race needs one" >&2
  echo "ensure-cc: hint: install gcc or clang with headers (Debian: gcc libc6-dev; Alpine: gcc musl-dev), or set CC" >&2
  exit 1
fi
