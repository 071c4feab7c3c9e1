#!/usr/bin/env bash
# The tests of the PostgreSQL store start a real server, which few CI images have.
# Present, in PATH or where Debian puts it: nothing to do. Root on a system with
# apt-get: install one. Otherwise: say what is missing and fail, because the tests
# would fail one by one.
set -euo pipefail

have_postgres() {
  if command -v initdb >/dev/null 2>&1 && command -v postgres >/dev/null 2>&1; then
    return 0
  fi
  local dir
  for dir in /usr/lib/postgresql/*/bin; do
    if [ -x "$dir/initdb" ] && [ -x "$dir/postgres" ]; then
      return 0
    fi
  done
  return 1
}

if have_postgres; then
  exit 0
fi

if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "ensure-postgres: installing postgresql, which the tests of the store start" >&2
  export DEBIAN_FRONTEND=noninteractive
  # The package makes and starts a server for the whole machine, unless it is told
  # not to; the tests make their own and need the programs alone.
  if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
  fi
  # Without a package index there is nothing to install; the check below then
  # says what is missing.
  apt-get update -q >&2 || true
  apt-get install -q -y --no-install-recommends -o Dpkg::Options::=--force-confold postgresql >&2 || true
fi

if ! have_postgres; then
  echo "ensure-postgres: error: no PostgreSQL server found (initdb and postgres); the tests of the store need one" >&2
  echo "ensure-postgres: hint: install PostgreSQL 13 or later (Debian: postgresql; Alpine: postgresql; macOS: brew install postgresql)" >&2
  exit 1
fi
