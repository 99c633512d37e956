#!/bin/sh
# Runs the tests under a sanitizer: `thread`, or `address` with leak detection. Left out are those whose work is done by other
# programs: end to end, and with a Tuya client made by others.
set -eu
cd "$(dirname "$0")/.."
kind=$1
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=4
case $kind in
thread) export TSAN_OPTIONS="halt_on_error=1 history_size=4" ;;
address) export ASAN_OPTIONS="detect_leaks=1" LSAN_OPTIONS="suppressions=$PWD/Tests/leak.supp:print_suppressions=0" ;;
*)
    echo "usage: $0 thread|address" >&2
    exit 2
    ;;
esac
swift build --build-tests --sanitize="$kind" --scratch-path ".build-$kind"
# XCTest's own runner leaks; all our tests are Swift Testing's.
swift test --skip-build --disable-xctest --sanitize="$kind" --scratch-path ".build-$kind" --parallel \
    --skip 'IntegrationTests' --skip '[Tt]inytuya'
