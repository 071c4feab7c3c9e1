#!/usr/bin/env bash
# Installs what tests run besides Go: ensure.sh NEED...
# A need is a word of the table below, or a folder whose npm packages are installed in it, as
# its package-lock.json says. Present: nothing to do. Root on a system with apt-get: install
# what is missing. Otherwise: say what is missing and fail, rather than let tests fail one by
# one. Where packages come from is the setting of apt and npm.
set -euo pipefail
cd "$(dirname "$0")/.."

# Each line has a need, a program of it, or several of which one will do, and the packages
# of Debian that have it, of which the first that there is will do, too. Debian keeps the programs
# of PostgreSQL outside PATH.
table="cc $(go env CC | cut -d' ' -f1) gcc libc6-dev
postgres initdb postgresql
postgres postgres postgresql
node node nodejs
node npm npm
browser /usr/lib/chromium/chromium-headless-shell|chromium|chromium-browser|google-chrome chromium-headless-shell|chromium fonts-dejavu-core
packaging pre-commit pre-commit
packaging curl curl
packaging dpkg dpkg
packaging rpm rpm
packaging rpm2archive rpm
packaging systemd-analyze systemd
packaging systemd-sysusers systemd
packaging mandoc mandoc
packaging unshare util-linux"
PATH=$PATH:$(printf '%s:' /usr/lib/postgresql/*/bin)

words=() folders=()
for need; do
  if [ -f "$need/package-lock.json" ]; then
    words+=(node)
    folders+=("$need")
  elif grep -q "^$need " <<<"$table"; then
    words+=("$need")
  else
    echo "ensure: error: $need is neither a folder with a package-lock.json nor one of $(cut -d' ' -f1 <<<"$table" | uniq | xargs)" >&2
    exit 2
  fi
done

missing() { # prints the lines of the table that are needed and not there
  local need programs packages
  while read -r need programs packages; do
    if [[ " ${words[*]} " == *" $need "* ]] && ! command -v ${programs//|/ } >/dev/null; then
      echo "$need $programs $packages"
    fi
  done <<<"$table"
}

lines=$(missing)
if [ -n "$lines" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  # Whatever goes wrong here, the check below says what is missing.
  apt-get update -q >&2 || true
  packages=()
  for names in $(cut -d' ' -f3- <<<"$lines" | xargs -n1 | sort -u); do
    for name in ${names//|/ }; do
      if apt-cache show "$name" >/dev/null 2>&1; then
        packages+=("$name")
        break
      fi
    done
  done
  echo "ensure: installing ${packages[*]}" >&2
  # The package of PostgreSQL makes and starts a server for the whole machine, unless it is told
  # not to; the tests make their own and need the programs alone.
  if [[ " ${packages[*]} " == *" postgresql "* ]] && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
    mkdir -p /etc/postgresql-common
    echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
  fi
  DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    -o Dpkg::Options::=--force-confold -o DPkg::Lock::Timeout=-1 "${packages[@]}" >&2 || true
  PATH=$PATH:$(printf '%s:' /usr/lib/postgresql/*/bin)
  lines=$(missing)
fi
if [ -n "$lines" ]; then
  while read -r need programs packages; do
    echo "ensure: error: ${programs//|/ or } is missing; install it from your system's packages (Debian: ${packages//|/ or })" >&2
  done <<<"$lines"
  exit 1
fi
if [[ " ${words[*]} " == *" node "* ]] && ! node -e '
  const [major, minor] = process.versions.node.split(".").map(Number);
  process.exit(major > 20 || major === 20 && minor >= 19 ? 0 : 1)'; then
  echo "ensure: error: this is Node.js $(node --version); install 20.19 or later" >&2
  exit 1
fi

# npm ci begins by removing what is there. The copy of the lock file is made last, so that an
# installation that was cut off is not taken for a whole one.
for folder in "${folders[@]}"; do
  if ! cmp -s "$folder/package-lock.json" "$folder/node_modules/.installed"; then
    echo "ensure: installing the npm packages of $folder" >&2
    (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2)
    cp "$folder/package-lock.json" "$folder/node_modules/.installed"
  fi
done
