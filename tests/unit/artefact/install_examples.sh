#!/usr/bin/env bash
# Installs the runtime of a build folder and builds the examples against it, as a user would.
#   install_examples.sh SOURCE BUILD INTO
set -euo pipefail
source=$1 build=$2 into=$3

cmake --install "$build" --component runtime --prefix "$into" >&2
for example in c cpp; do
  cmake -G Ninja -S "$source/examples/$example" -B "$into/$example" -DCMAKE_PREFIX_PATH="$into" >&2
  cmake --build "$into/$example" >&2
done
# The same program without CMake.
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$into" -name hone.pc)")
cc -std=c99 "$source/examples/c/run_model.c" -o "$into/run_model_static" -static \
  $(pkg-config --cflags --libs --static hone)
