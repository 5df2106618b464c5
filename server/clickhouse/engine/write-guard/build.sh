#!/bin/sh
# Builds linux-x64.so from write-guard.c. Needs gcc; the file is committed, so that users need none.
set -eu
cd "$(dirname "$0")"
gcc -O2 -Wall -Wextra -Werror -fPIC -shared -nostdlib -fvisibility=hidden -fno-stack-protector -fno-asynchronous-unwind-tables \
  -Wl,--build-id=none -Wl,--hash-style=gnu -Wl,-z,noseparate-code -Wl,-z,max-page-size=4096 -Wl,--strip-all \
  -o "${1:-linux-x64.so}" write-guard.c
