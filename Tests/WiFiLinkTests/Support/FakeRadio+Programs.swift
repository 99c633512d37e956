extension FakeRadio {
    /// The name of a hotspot that no careless program survives.
    static let awkward = "a\"b\\c'd:e $(f) ☕️"
    /// A passphrase of 63 bytes with all that is escaped anywhere.
    static let secret = "  pass\\word \"quoted\" #:=% é$(x)" + String(repeating: "z", count: 31)

    /// NetworkManager with a saved home profile, which is active.
    static func networkManager() throws -> FakeRadio {
        let radio = try FakeRadio()
        try radio.write("lo:loopback:unmanaged\nwlan9:wifi:connected\n", to: "devices")
        try radio.write("home-profile\n", to: "active")
        try radio.write("", to: "profile-home-profile")
        try radio.write(
            """
            686F6D65:02\\:00\\:00\\:00\\:00\\:01:2437 MHz:80:WPA2
            686F6D65:02\\:00\\:00\\:00\\:00\\:02:5180 MHz:100:WPA2
            :02\\:00\\:00\\:00\\:00\\:03:2412 MHz:90:
            536D6172744C6966652D33463241:02\\:00\\:00\\:00\\:00\\:04:2437 MHz:95:
            6122625C6327643A65202428662920E29895EFB88F:02\\:00\\:00\\:00\\:00\\:05:2462 MHz:50:WPA1 WPA2
            FFFE:02\\:00\\:00\\:00\\:00\\:06:2462 MHz:50:WPA2

            """,
            to: "air"
        )
        try radio.program(
            "nmcli",
            """
            case "$*" in
            "-t -f DEVICE,TYPE,STATE device") cat "$S/devices" ;;
            "-t -f UUID,DEVICE,STATE connection show --active")
                echo "11111111-1111-4111-8111-111111111111:eth0:activated"
                if [ -s "$S/active" ]; then echo "$(cat "$S/active"):wlan9:$(cat "$S/state" 2>/dev/null || echo activated)"; fi ;;
            *"device wifi list ifname wlan9"*) cat "$S/air" ;;
            "connection add save no "*)
                while [ $# -gt 1 ]; do
                    case "$1" in
                    ssid) ssid=$2 ;;
                    connection.uuid) uuid=$2 ;;
                    802-11-wireless-security.key-mgmt) key=$2 ;;
                    esac
                    shift
                done
                printf '%s\\n%s\\n' "$ssid" "$key" > "$S/profile-$uuid" ;;
            "--wait "*" connection up uuid "*)
                [ -e "$S/profile-$6" ] || { echo "Error: unknown connection '$6'." >&2; exit 10; }
                if [ -e "$S/up-fails" ]; then cat "$S/up-fails" >&2; exit 4; fi
                if [ "$9" = passwd-file ]; then cat "${10}" > "$S/secret"; fi
                rm -f "$S/state"
                echo "$6" > "$S/active" ;;
            "connection delete uuid "*)
                [ -e "$S/profile-$4" ] || { echo "Error: unknown connection '$4'." >&2; exit 10; }
                rm "$S/profile-$4"
                if [ "$(cat "$S/active")" = "$4" ]; then
                    if [ -e "$S/autoconnects" ]; then echo home-profile > "$S/active"; echo activating > "$S/state"
                    else : > "$S/active"; fi
                fi ;;
            "-t -f IP4,DHCP4 device show wlan9")
                echo 'IP4.ADDRESS[1]:192.168.175.23/24'
                echo 'IP4.GATEWAY:'
                echo 'IP4.ROUTE[1]:dst = 192.168.175.0/24, nh = 0.0.0.0, mt = 600'
                echo 'DHCP4.OPTION[1]:dhcp_lease_time = 3600'
                echo 'DHCP4.OPTION[2]:routers = 192.168.175.1' ;;
            *) echo "unexpected: $*" >&2; exit 2 ;;
            esac
            """
        )
        return radio
    }

    /// wpa_supplicant with two saved networks, of which one is in use and one is switched off.
    static func supplicant() throws -> FakeRadio {
        let radio = try FakeRadio()
        try radio.write("0\n", to: "current")
        for (id, ssid) in [("0", "home"), ("1", "guests"), ("2", "office")] { try radio.write(ssid, to: "net-\(id)") }
        try radio.write("", to: "off-1")
        try radio.write(
            """
            bssid / frequency / signal level / flags / ssid
            02:00:00:00:00:01\t2437\t-48\t[WPA2-PSK-CCMP][ESS]\thome
            02:00:00:00:00:04\t2437\t-42\t[ESS]\tSmartLife-3F2A
            02:00:00:00:00:05\t2462\t-70\t[WPA-PSK-CCMP][WPA2-PSK-CCMP][ESS]\ta\\"b\\\\c'd:e $(f) \\xe2\\x98\\x95\\xef\\xb8\\x8f
            02:00:00:00:00:06\t2462\t-71\t[WPA2-SAE-CCMP][ESS]\t\\xff\\xfe
            02:00:00:00:00:07\t2462\t-72\t[ESS]\t

            """,
            to: "air"
        )
        try radio.program(
            "wpa_cli",
            """
            [ -e "$S/down" ] && { echo "Failed to connect to non-global ctrl_ifname: wlan9  error: No such file or directory"; exit 255; }
            shift 2
            case "$1" in
            "")
                printf "wpa_cli v2.10\\n\\nInteractive mode\\n\\n> "
                while IFS= read -r line; do
                    printf '%s\\n' "$line"
                    case "$line" in
                    "set_network "*) printf '%s\\n' "$line" > "$S/secret"; echo OK; printf '> ' ;;
                    quit) break ;;
                    esac
                done ;;
            ping) echo PONG ;;
            status)
                if [ -s "$S/current" ] && ! [ -e "$S/hangs" ]; then
                    id=$(cat "$S/current")
                    printf 'bssid=02:00:00:00:00:01\\nssid=%s\\nid=%s\\nwpa_state=COMPLETED\\n' "$(cat "$S/net-$id")" "$id"
                else echo wpa_state=SCANNING; fi ;;
            list_networks)
                printf 'network id / ssid / bssid / flags\\n'
                for id in 0 1 2 3 4; do
                    [ -e "$S/net-$id" ] || continue
                    flags=""
                    [ "$(cat "$S/current")" = $id ] && flags="[CURRENT]"
                    [ -e "$S/off-$id" ] && flags="[DISABLED]"
                    [ -e "$S/refuses" ] && [ $id = 3 ] && flags="[TEMP-DISABLED]"
                    printf '%s\\t%s\\tany\\t%s\\n' $id "$(cat "$S/net-$id")" "$flags"
                done ;;
            scan) echo OK ;;
            scan_results) cat "$S/air" ;;
            add_network) : > "$S/net-3"; : > "$S/off-3"; echo 3 ;;
            set_network)
                if [ "$3" = ssid ]; then
                    printf '%s' "$4" | sed 's/\\(..\\)/\\\\x\\1/g' > "$S/net-$2"
                fi
                echo OK ;;
            select_network)
                for id in 0 1 2 3; do [ -e "$S/net-$id" ] && : > "$S/off-$id"; done
                rm -f "$S/off-$2"
                echo "$2" > "$S/current"
                echo OK ;;
            enable_network) rm -f "$S/off-$2"; echo OK ;;
            disable_network) : > "$S/off-$2"; echo OK ;;
            remove_network)
                if [ -e "$S/net-$2" ]; then
                    rm -f "$S/net-$2" "$S/off-$2"
                    [ "$(cat "$S/current")" = "$2" ] && : > "$S/current"
                    echo OK
                else echo FAIL; fi ;;
            *) echo FAIL ;;
            esac
            exit 0
            """
        )
        try radio.program(
            "udhcpc",
            """
            while [ $# -gt 1 ]; do [ "$1" = -s ] && script=$2; shift; done
            "$script" deconfig
            ip=192.168.175.77 mask=24 router=192.168.175.1 interface=wlan9 "$script" bound
            """
        )
        try radio.program("ip", "exit 0")
        return radio
    }

    /// An operator's own program.
    static func command() throws -> FakeRadio {
        let radio = try FakeRadio()
        try radio.program(
            "my-radio",
            """
            if [ -e "$S/fails" ]; then echo "the words of a person" >&2; exit "$(cat "$S/fails")"; fi
            case "$1" in
            scan) echo '[{"ssid":"SmartLife-3F2A","signal":-40,"frequency":2437,"secured":false},{"ssid":"home","signal":-30}]' ;;
            join)
                IFS= read -r passphrase
                printf '%s' "$passphrase" > "$S/secret"
                printf '%s' "$2" > "$S/joined"
                echo '{"interface":"lo","address":"127.0.0.1","prefix":8,"gateway":"127.77.0.1"}' ;;
            leave) rm -f "$S/joined" ;;
            status)
                if [ -e "$S/joined" ]; then echo '{"joined":"SmartLife-3F2A","home_survives":true}'
                else echo '{"joined":null,"home_survives":true}'; fi ;;
            esac
            """
        )
        return radio
    }

    var commandLine: [String] { ["\(programs)/my-radio"] }
}
