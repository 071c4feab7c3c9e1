#!/usr/bin/env bash
# The tests of the pages look at them with a real browser, which few CI images have:
# Chromium, driven by a script for Node.js. The packages that the script needs are
# pinned and go below .tools. Present: nothing to do. Root on a system with apt-get:
# install what is missing. Otherwise: say what is missing and fail.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
source=$root/internal/test/browsertest/look
target=$root/.tools/browser

have_chromium() {
  command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || command -v google-chrome >/dev/null 2>&1
}

have_node() {
  command -v npm >/dev/null 2>&1 && node -e 'process.exit(process.versions.node.split(".")[0] >= 20 ? 0 : 1)' 2>/dev/null
}

missing=()
have_chromium || missing+=(chromium fonts-dejavu-core)
command -v npm >/dev/null 2>&1 || missing+=(nodejs npm)

if [ "${#missing[@]}" -gt 0 ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "ensure-browser: installing ${missing[*]}, which the tests of the pages use" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q >&2 || true
  apt-get install -q -y --no-install-recommends "${missing[@]}" >&2 || true
fi

if ! have_chromium; then
  echo "ensure-browser: error: no Chromium found; the tests of the pages need one" >&2
  echo "ensure-browser: hint: install Chromium (Debian: chromium; macOS: brew install --cask chromium)" >&2
  exit 1
fi
if ! have_node; then
  echo "ensure-browser: error: no Node.js 20 or later with npm found; the tests of the pages need it" >&2
  echo "ensure-browser: hint: install Node.js from your system's packages or nodejs.org" >&2
  exit 1
fi

if [ -d "$target/node_modules" ] && cmp -s "$source/package-lock.json" "$target/installed.json"; then
  exit 0
fi
mkdir -p "$target"
cp "$source/package.json" "$source/package-lock.json" "$target/"
(cd "$target" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
cp "$source/package-lock.json" "$target/installed.json"
