#!/usr/bin/env bash
# tools/setup against stand-ins for apt, dpkg and cmake: what it calls, and what it says when it cannot.
set -euo pipefail
repo=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/repo/tools" "$work/bin"
cp "$repo/tools/setup" "$work/repo/tools/"

# A stand-in notes its call and then runs the given shell lines.
stand_in() {
  printf '#!/bin/bash\necho "%s $*" >>"%s/calls"\n%s\n' "$1" "$work" "${2:-}" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}
for tool in bash cat dirname env grep id mkdir touch; do ln -s "$(command -v $tool)" "$work/bin/$tool"; done
stand_in cmake 'mkdir -p build && touch build/build.ninja'
all_installed='for p in "$@"; do case $p in -*) ;; *) echo "$p installed";; esac; done'

# run STATUS: runs the set-up with only the stand-ins in PATH; fails unless it ends with STATUS.
run() {
  : >"$work/calls"
  local status=0
  PATH="$work/bin" "$work/repo/tools/setup" >"$work/out" 2>&1 || status=$?
  [[ $status -eq $1 ]] || { echo "exit $status, expected $1"; cat "$work/out"; exit 1; }
}
says() { grep -qF -- "$1" "$work/out" || { echo "does not say: $1"; cat "$work/out"; exit 1; }; }
calls() { grep -qE -- "$1" "$work/calls" || { echo "no call: $1"; cat "$work/calls"; exit 1; }; }
calls_not() { ! grep -qE -- "$1" "$work/calls" || { echo "unwanted call: $1"; exit 1; }; }

run 1  # no apt at all
says 'no apt' && says 'hint:' && says 'llvm-19-dev' && calls_not '^cmake'

stand_in apt-get
stand_in dpkg-query "$all_installed"
run 0  # all there: no apt, configure once, build
calls_not '^apt-get' && calls 'cmake --preset release' && calls 'cmake --build --preset release'
run 0  # again: nothing is configured anew
calls_not 'cmake --preset'

stand_in dpkg-query "$all_installed | grep -v ccache"
stand_in sudo 'exec "$@"'
run 0  # one missing: exactly that one is installed
calls 'apt-get install .* ccache$' && says 'installing 1 packages: ccache'

stand_in apt-get '[[ $1 == update ]]'
run 1  # the install fails
says 'could not install' && says 'hint:' && calls_not '^cmake'

echo "setup: all cases pass"
