import EventLoop
import HomeModel
import Testing
@testable import WiFiLink

@Suite("Wi-Fi: what programs write")
struct ParserTests {
    @Test("nmcli's terse fields may hold colons, backslashes and nothing")
    func terse() {
        #expect(TerseText.records("a\\:b:c\\\\:\n::\n") == [["a:b", "c\\", ""], ["", "", ""]])
        #expect(TerseText.records("é☕️:x\\") == [["é☕️", "x"]])
        #expect(TerseText.records("") == [])
    }

    @Test("nmcli's device properties are read by their keys, lists too")
    func properties() {
        let text =
            "IP4.ADDRESS[1]:192.168.1.7/24\nIP4.ADDRESS[2]:10.0.0.1/8\nIP4.GATEWAY:--\nIP4.GATEWAYS:x\nIP6:fe80::1\n"
        #expect(TerseText.values(text, of: "IP4.ADDRESS") == ["192.168.1.7/24", "10.0.0.1/8"])
        #expect(TerseText.values(text, of: "IP4.GATEWAY") == [])
        #expect(TerseText.values(text, of: "IP6") == ["fe80::1"])
    }

    @Test("a scan of nmcli: names in hexadecimal, hidden ones and such that are no UTF-8 left out, percent to dBm")
    func networkManagerScan() {
        let text = """
            536D6172744C6966652D33463241:84\\:F3\\:EB\\:12\\:3F\\:2A:2437 MHz:100:
            E29895EFB88F203A5C22:AA\\:BB\\:CC\\:00\\:00\\:01:5180 MHz:50:WPA2 WPA3
            77706133:AA\\:BB\\:CC\\:00\\:00\\:02:2412 MHz:0:WPA3
            :AA\\:BB\\:CC\\:00\\:00\\:03:2412 MHz:70:WPA2
            000000:AA\\:BB\\:CC\\:00\\:00\\:04:2412 MHz:70:WPA2
            FFFE:AA\\:BB\\:CC\\:00\\:00\\:05:2412 MHz:70:WPA2
            garbage
            """
        let found = NetworkManagerScan.parse(text)
        #expect(
            found.map(\.sighting) == [
                WiFiSighting(
                    ssid: "SmartLife-3F2A",
                    bssid: "84:f3:eb:12:3f:2a",
                    signal: -40,
                    frequency: 2437,
                    isSecured: false
                ),
                WiFiSighting(
                    ssid: "☕️ :\\\"",
                    bssid: "aa:bb:cc:00:00:01",
                    signal: -70,
                    frequency: 5180,
                    isSecured: true
                ),
                WiFiSighting(
                    ssid: "wpa3",
                    bssid: "aa:bb:cc:00:00:02",
                    signal: -100,
                    frequency: 2412,
                    isSecured: true
                ),
            ]
        )
        #expect(found.map(\.isSAEOnly) == [false, false, true])
    }

    @Test(
        "wpa_cli's escapes become bytes",
        arguments: [
            ("plain", "plain"), ("a\\\"b\\\\c", "a\"b\\c"), ("\\xe2\\x98\\x95\\xef\\xb8\\x8f", "☕️"),
            ("\\e\\n\\r\\t", "\u{1B}\n\r\t"), ("\\x4", "4"), ("tail\\", "tail\\"),
        ]
    )
    func escapes(_ written: String, _ meant: String) {
        #expect(SupplicantText.unescaped(written) == Array(meant.utf8))
    }

    @Test("a scan of wpa_cli")
    func supplicantScan() {
        let text = """
            bssid / frequency / signal level / flags / ssid
            84:F3:EB:12:3f:2a\t2437\t-41\t[ESS]\tSmartLife-3F2A
            aa:bb:cc:00:00:01\t5180\t-67\t[WPA2-PSK+SAE-CCMP][ESS]\thome
            aa:bb:cc:00:00:02\t2412\t-80\t[WPA2-SAE-CCMP][ESS]\tnew
            aa:bb:cc:00:00:03\t2412\t-80\t[WPA2-PSK-CCMP][ESS]\t
            aa:bb:cc:00:00:04\t2412\t-80\t[WPA2-PSK-CCMP][ESS]\t\\x00\\x00
            aa:bb:cc:00:00:05\t2412\t-80\t[WPA2-PSK-CCMP][ESS]\t\\xff
            """
        let found = SupplicantText.scanResults(text)
        #expect(found.map(\.sighting.ssid) == ["SmartLife-3F2A", "home", "new"])
        #expect(found.map(\.sighting.isSecured) == [false, true, true])
        #expect(found.map(\.isSAEOnly) == [false, false, true])
        #expect(found[0].sighting.bssid == "84:f3:eb:12:3f:2a" && found[0].sighting.signal == -41)
    }

    @Test("the list of networks and the status of wpa_cli")
    func supplicantNetworks() {
        let text =
            "network id / ssid / bssid / flags\n0\thome \\\"x\\\"\tany\t[CURRENT]\n1\tsecond\tany\t[DISABLED]\n"
            + "2\t\tany\t[TEMP-DISABLED]\n3\tlast\tany\t\n"
        let networks = SupplicantText.networks(text)
        #expect(networks.map(\.ssid) == ["home \"x\"", "second", nil, "last"])
        #expect(networks.map(\.isCurrent) == [true, false, false, false])
        #expect(networks.map(\.isEnabled) == [true, false, true, true])
        #expect(networks.map(\.isPaused) == [false, false, true, false])
        let status = SupplicantText.status("bssid=02:00\nssid=a=b\nid=0\nwpa_state=COMPLETED\n")
        #expect(status == ["bssid": "02:00", "ssid": "a=b", "id": "0", "wpa_state": "COMPLETED"])
    }

    @Test("a line of nmcli's password file holds every password but those with line ends")
    func passwordFile() {
        let line = PasswordFile.line(passphrase: " a\\ #:=é\t")
        #expect(line.map { String(decoding: $0, as: UTF8.self) } == "802-11-wireless-security.psk:\\ a\\\\\\ #:=é\\t\n")
        #expect(PasswordFile.line(passphrase: "a\nb") == nil)
    }

    @Test("default routes are read from the kernel's table, best first")
    func routes() {
        let text = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\t0200000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
            eth0\t0000000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
            tun0\t00000000\t00000000\t0001\t0\t0\t700\t00000000\t0\t0\t0
            tun1\t00000000\t00000000\t0000\t0\t0\t0\t00000000\t0\t0\t0
            """
        #expect(
            DefaultRoute.parse(text) == [
                DefaultRoute(interface: "eth0", gateway: "10.0.0.2", metric: 100),
                DefaultRoute(interface: "wlan0", gateway: "192.168.1.1", metric: 600),
                DefaultRoute(interface: "tun0", gateway: nil, metric: 700),
            ]
        )
    }

    @Test(
        "what a DHCP client's script tells",
        arguments: [
            ("lintel-lease 192.168.175.7 255.255.255.0 192.168.175.1\n", "192.168.175.7/24 192.168.175.1"),
            ("noise\nlintel-lease 10.0.0.2 8 \n", "10.0.0.2/8 -"), ("lintel-lease 10.0.0.2 255.0.255.0\n", ""),
            ("lintel-lease  24 1.2.3.4\n", ""), ("", ""),
        ]
    )
    @Loop
    func lease(_ output: String, _ meant: String) {
        let lease = LeaseClient.lease(Array(output.utf8))
        #expect(lease.map { "\($0.address)/\($0.prefix) \($0.gateway ?? "-")" } ?? "" == meant)
    }

    @Test("networks are listed once each, strongest first, by what 2.4 GHz offers")
    func merging() {
        func seen(_ ssid: String, _ signal: Int?, _ frequency: Int?, secured: Bool = true) -> WiFiSighting {
            WiFiSighting(ssid: ssid, signal: signal, frequency: frequency, isSecured: secured)
        }
        let merged = ScanList.merged([
            seen("home", -40, 5180), seen("home", -70, 2437), seen("home", -60, 2412), seen("lamp", -50, 2437),
            seen("five", -30, 5180), seen("five", -20, 5200, secured: false), seen("unknown", nil, nil),
            seen("", -1, 2412),
            seen(String(repeating: "x", count: 33), -1, 2412), seen("e\u{301}", -80, 2412), seen("é", -81, 2412),
        ])
        #expect(
            merged.map { Array($0.ssid.utf8) }
                == ["five", "lamp", "home", "e\u{301}", "é", "unknown"].map { Array($0.utf8) }
        )
        #expect(merged[2].signal == -60 && merged[2].frequency == 2412)
        #expect(merged[0].isSecured)
    }
}
