#!/bin/sh
# Runs all tests under a sanitizer: `thread`, or `address` with leak detection.
set -eu
cd "$(dirname "$0")/.."
kind=$1
export LINTEL_PYTHON="$PWD/.build/python/bin/python"
case $kind in
thread) export TSAN_OPTIONS="halt_on_error=1 history_size=4" ;;
address) export ASAN_OPTIONS="detect_leaks=1" ;;
*)
    echo "usage: $0 thread|address" >&2
    exit 2
    ;;
esac
swift build --build-tests --sanitize="$kind" --scratch-path ".build-$kind"
# XCTest's own runner leaks; all our tests are Swift Testing's.
swift test --skip-build --disable-xctest --sanitize="$kind" --scratch-path ".build-$kind" --parallel
