#!/bin/sh
# Installs what Lintel needs to build, run and test on Debian or Ubuntu, where it is missing. Swift itself is not touched.
#   deploy/dependencies.sh          to build and run
#   deploy/dependencies.sh test     to test as well: peers made by others (tinytuya, mbedTLS) in a Python environment of its own
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)

command -v swift >/dev/null 2>&1 || {
    echo "Lintel needs Swift 6.2 or newer on the PATH: https://www.swift.org/install/linux/" >&2
    exit 1
}

packages="pkg-config libuv1-dev libmosquitto-dev libsqlite3-dev libssl-dev libyaml-dev libcurl4-openssl-dev iproute2 mosquitto mosquitto-clients"
[ "${1:-}" = test ] && packages="$packages python3 python3-venv openssl"

missing=""
for package in $packages; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
if [ -n "$missing" ]; then
    sudo=""
    [ "$(id -u)" = 0 ] || sudo=sudo
    echo "installing:$missing"
    $sudo apt-get update -qq
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
    # Debian starts a broker on 1883 with the package. Tests, demo and "embedded" start their own; who wants the system's,
    # had it before or starts it again: systemctl enable --now mosquitto
    case "$missing " in
    *" mosquitto "*) [ ! -d /run/systemd/system ] || $sudo systemctl disable --quiet --now mosquitto ;;
    esac
fi

if [ "${1:-}" = test ]; then
    tools="$here/.build/python"
    [ -x "$tools/bin/python" ] || python3 -m venv "$tools"
    # Peers made by others: module, and the package that has it.
    for peer in "tinytuya tinytuya==1.20.0" "mbedtls python-mbedtls==2.10.1"; do
        module=${peer%% *} package=${peer#* }
        "$tools/bin/python" -c "import $module" >/dev/null 2>&1 && continue
        echo "installing: $package (a peer for the tests) into .build/python"
        "$tools/bin/pip" install -q "$package" ||
            echo "$package could not be installed; the tests that need it say that they were left out" >&2
    done
fi
