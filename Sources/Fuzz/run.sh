#!/bin/sh
# Builds the fuzz programs and runs each for some seconds; fails on any finding.
# Usage: Sources/Fuzz/run.sh <seconds> [name...]     names as in Package.swift, such as fuzz-json; all without
#
# A program's inputs start from the Seeds in its folder; what it learns is kept in .build-fuzz/corpus. A finding is kept in
# .build-fuzz/findings and can be repeated with: .build-fuzz/release/<name> <file>. It belongs into a test when fixed.
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:?"usage: $0 <seconds> [name...]"}
shift
wanted=" $* "
build=.build-fuzz
export LINTEL_FUZZ=1
# Swift's own crash report reads memory in ways that AddressSanitizer reports in its place.
export SWIFT_BACKTRACE=enable=no

failed=""
for seeds in Sources/Fuzz/*/Seeds; do
    folder=$(dirname "$seeds")
    name=fuzz-$(basename "$folder" | tr '[:upper:]' '[:lower:]')
    case "$wanted" in "  " | *" $name "*) ;; *) continue ;; esac
    # All modules are instrumented for coverage and against memory errors; optimised code still has its preconditions.
    swift build -c release --scratch-path "$build" --product "$name" -Xswiftc -sanitize=fuzzer --sanitize address
    mkdir -p "$build/corpus/$name" "$build/findings"
    set -- -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=2048 -print_final_stats=1
    if [ -f "Sources/Fuzz/Dictionaries/$name.txt" ]; then set -- "$@" -dict="Sources/Fuzz/Dictionaries/$name.txt"; fi
    set -- "$@" -artifact_prefix="$build/findings/$name-" "$build/corpus/$name" "$seeds"
    echo "$name: trying inputs for $seconds s"
    if "$build/release/$name" "$@" >"$build/$name.log" 2>&1; then
        grep '^stat::' "$build/$name.log"
    else
        tail -n 50 "$build/$name.log"
        failed="$failed $name"
    fi
done

if [ -n "$failed" ]; then
    echo "findings in:$failed" >&2
    exit 1
fi
