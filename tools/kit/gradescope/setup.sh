#!/usr/bin/env bash
# Gradescope runs this once, when it builds the assignment's container: the kit is unpacked, a CUDA compiler installed.
set -eu
cd "$(dirname "$0")"
tar -xzf kit.tar.gz
warpwise/tools/setup kit
