#!/bin/sh
# Checks what the compiler cannot: pure targets import no I/O, vendor words stay inside Plugins, file sizes.
set -eu
cd "$(dirname "$0")/.."
failed=0
complain() {
    echo "$1" >&2
    failed=1
}

# Foundation costs 12 MiB a process; library targets do without.
found=$(grep -rlE '^(public |package |internal )?import Foundation(Networking)?$' Sources Plugins --include='*.swift' | grep -v '^Sources/Bench/' || true)
[ -z "$found" ] || complain "imports Foundation: $found"

# Vendors are named in Plugins, in their simulators, in the bench and in tests, nowhere else.
found=$(grep -rliE 'tuya|ezviz' Sources --include='*.swift' | grep -vE '^Sources/(Simulators|SimulatorProgram|Bench|Fuzz|lintel/Demo)/' || true)
[ -z "$found" ] || complain "a vendor's name outside its room: $found"

# Protocol targets are pure.
found=$(grep -rlE '^import (EventLoop|MQTT|Log)$' Plugins/*/Sources/*Protocol Sources/PluginWire Sources/HomeModel Sources/JSON --include='*.swift' | grep -v Sources/JSON/ || true)
[ -z "$found" ] || complain "not pure: $found"

found=$(git ls-files '*.swift' | grep -vE '(^|/)Tests/' | xargs wc -l | awk '$1 > 400 && $2 != "total" { print $2 " (" $1 ")" }')
[ -z "$found" ] || complain "over 400 lines: $found"
exit $failed
