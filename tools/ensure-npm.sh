#!/usr/bin/env bash
# Installs the npm packages of a directory, which tests run: ensure-npm.sh DIR
# Installed as its lock file says: nothing to do. Node.js missing, and root on a system
# with apt-get: install it. Where packages come from is npm's own setting.
set -euo pipefail

dir=${1:?usage: ensure-npm.sh DIR}

have_node() {
  command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1
}

if ! have_node && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "ensure-npm: installing nodejs and npm, which the tests of $dir run" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q >&2 || true
  apt-get install -q -y --no-install-recommends nodejs npm >&2 || true
fi
if ! have_node; then
  echo "ensure-npm: error: no node and npm found; the tests of $dir run them" >&2
  echo "ensure-npm: hint: install Node.js 20.19 or later with npm (Debian: nodejs npm)" >&2
  exit 1
fi

# npm ci begins by removing what is there. The copy of the lock file is made last, so
# that an installation that was cut off is not taken for a whole one.
stamp=$dir/node_modules/.ensure-npm
if cmp -s "$dir/package-lock.json" "$stamp"; then
  exit 0
fi
echo "ensure-npm: installing the packages of $dir" >&2
(cd "$dir" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
cp "$dir/package-lock.json" "$stamp"
