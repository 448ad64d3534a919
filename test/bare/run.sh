#!/usr/bin/env bash
# `npm run bare`: tries the README's two commands, `npm start` and `npm test`, on a bare machine: a minimal Debian root with
# certificates, the Node and npm that run this, and nothing else. Once as root and once as an ordinary user, from a clone of HEAD.
#
#   npm run bare -- [--root | --user] [--only start | --only test]
#
# Logs stay in .data/bare. Mounts and processes are in namespaces of their own, so they are gone when this ends, however it ends.
set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
node=${npm_node_execpath:-$(command -v node)}
npm=$(dirname "$(dirname "$(readlink -f "${npm_execpath:-$(command -v npm)}")")")

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

arguments=("$@")
accounts=(root user)
commands=(start test)
while [ $# -gt 0 ]; do
  case $1 in
    --root | --user) accounts=("${1#--}") ;;
    --only)
      [ "${2:-}" = start ] || [ "${2:-}" = test ] || fail '--only takes start or test.'
      commands=("$2")
      shift
      ;;
    *) fail "Unknown option: $1" ;;
  esac
  shift
done

if [ -z "${BARE_WORK:-}" ]; then
  [ "$(id -u)" = 0 ] || fail 'A minimal root can only be made as root.'
  [ "$(uname -s)" = Linux ] || fail 'This needs Linux.'
  command -v debootstrap >/dev/null || fail 'debootstrap is missing: apt-get install debootstrap'
  BARE_WORK=$(mktemp -d /var/tmp/public-picks-bare.XXXXXX)
  export BARE_WORK
  trap 'rm -rf --one-file-system "$BARE_WORK"' EXIT
  unshare --mount --pid --fork --kill-child -- "${BASH_SOURCE[0]}" ${arguments[@]+"${arguments[@]}"}
  exit
fi

root=$BARE_WORK/root
logs=$project/.data/bare
mkdir -p "$logs"
failures=0

# The variables and npm settings by which this machine gets to registries.
network_variables=(HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR)
network_settings=(registry cafile proxy https-proxy noproxy strict-ssl)

# Copies a file of this machine to the same place in the root, where that has none.
copy_if_missing() {
  if [ -f "$1" ] && [ ! -e "$root$1" ]; then
    mkdir -p "$root$(dirname "$1")"
    cp -L "$1" "$root$1"
  fi
}

make_root() {
  local began=$SECONDS suite mirror setting value
  suite=$(. /etc/os-release && [ "$ID" = debian ] && echo "${VERSION_CODENAME:-}" || true)
  suite=${suite:-bookworm}
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' 'Created-By: Packages' 2>/dev/null |
    awk -v suite="$suite" '$2 == suite { print $1; exit }' || true)
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" ${mirror:+"$mirror"} >"$logs/debootstrap.log" 2>&1 ||
    fail "debootstrap failed: $(tail -n 3 "$logs/debootstrap.log")"

  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"

  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  apt-config dump | grep -iE '^Acquire::[a-z]+::Proxy' >"$root/etc/apt/apt.conf.d/99-proxy" || true

  cp "$node" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules" "$root/usr/local/etc"
  cp -R "$npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  for setting in "${network_settings[@]}"; do
    value=$(cd / && "$node" "$npm/bin/npm-cli.js" config get "$setting" 2>/dev/null)
    case $value in '' | null | undefined) continue ;; esac
    echo "$setting=$value" >>"$root/usr/local/etc/npmrc"
    copy_if_missing "$value"
  done
  for setting in "${network_variables[@]}"; do copy_if_missing "${!setting:-}"; done
  chroot "$root" useradd --create-home user
  enter root /
  echo "A minimal $suite with Node $("${inside[@]}" node --version) and npm $("${inside[@]}" npm --version), made in $((SECONDS - began)) s"
}

# Sets `inside` to what runs a command in the root: <account> <folder>
enter() {
  local account=$1 folder=$2 home=/home/$1 name
  [ "$account" != root ] || home=/root
  inside=(chroot --userspec="$account:$account" "$root" /usr/bin/env -i
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME="$home" TERM=dumb)
  for name in "${network_variables[@]}"; do
    if [ -n "${!name:-}" ]; then inside+=("$name=${!name}"); fi
  done
  inside+=(/bin/sh -c 'cd "$0" && exec "$@"' "$folder")
}

# Fetches an address; fails unless it answers 200.
answers() {
  "$node" -e 'fetch(process.argv[1]).then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))' "$1"
}

# Starts the service, looks at it, and stops it as Ctrl-C does. Prints what it saw: <what> <log>
try_start() {
  local what=$1 log=$2 began=$SECONDS up='' pid site path
  set -m
  "${inside[@]}" npm start </dev/null >"$log" 2>&1 &
  pid=$!
  set +m
  until grep -qs '^  Stop  ' "$log"; do
    if ! kill -0 "$pid" 2>/dev/null; then
      echo "  $what: ended before it was up"
      return 1
    fi
    if [ $((SECONDS - began)) -gt 600 ]; then
      echo "  $what: not up after ten minutes"
      kill -INT -- "-$pid"
      return 1
    fi
    if [ -z "$up" ] && grep -q '^The site is up' "$log"; then up=$((SECONDS - began)); fi
    sleep 0.2
  done
  echo "  $what: ${up:+site up after $up s, }banner after $((SECONDS - began)) s"
  site=$(grep -oE 'http://localhost:[0-9]+' "$log" | head -n 1)
  for path in / /readyz; do
    answers "$site$path" || { echo "  $what: $path does not answer 200" && return 1; }
  done
  began=$SECONDS
  kill -INT -- "-$pid"
  wait "$pid" || true
  if ! grep -qx Stopped. "$log" || grep -q '^Killed after' "$log"; then
    echo "  $what: Ctrl-C did not stop it in order"
    return 1
  fi
  echo "  $what: stopped $((SECONDS - began)) s after Ctrl-C"
}

# Runs all tests and prints what they say last: <log>
try_test() {
  local log=$1 began=$SECONDS status=0
  "${inside[@]}" npm test </dev/null >"$log" 2>&1 || status=$?
  echo "  npm test: $(tail -n 1 "$log"), $((SECONDS - began)) s"
  return "$status"
}

failed() {
  failures=$((failures + 1))
  echo "  FAILED; the end of $1:"
  tail -n 20 "$1" | sed 's/^/    /'
}

make_root
for account in "${accounts[@]}"; do
  folder=$([ "$account" = root ] && echo /root/public-picks || echo "/home/$account/public-picks")
  git clone --quiet --depth 1 "file://$project" "$root$folder"
  chroot "$root" chown -R "$account:$account" "$folder"
  enter "$account" "$folder"
  echo "As $account:"
  for command in "${commands[@]}"; do
    if [ "$command" = start ]; then
      for what in 'first npm start' 'second npm start'; do
        log=$logs/$account-${what%% *}-start.log
        try_start "$what" "$log" || failed "$log"
        [ "$what" = 'second npm start' ] || echo "  node_modules: $(du -sm "$root$folder/node_modules" | cut -f1) MB"
      done
    else
      try_test "$logs/$account-test.log" || failed "$logs/$account-test.log"
    fi
  done
done
[ "$failures" = 0 ]
