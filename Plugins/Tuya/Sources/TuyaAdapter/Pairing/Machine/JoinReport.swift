import JSON
package import TuyaProtocol

/// What firmware says of how it could not join a network.
package enum JoinReport {
    /// Reads `netcfg_stat_rpt`, or a report that the device sends by itself.
    ///
    /// - Returns: nil where nothing is wrong, or nothing can be read. The open device SDK always says `status` 0.
    /// - Source: the numbers 1 to 8 are those of a vendor's header (protocol description, 7.4); that they stand in `status`
    ///   is inferred.
    package static func code(in body: [UInt8]) -> PairingErrorCode? {
        guard let json = try? JSON.parse(body) else { return nil }
        let data = json["data"] ?? json
        for key in ["status", "error", "err", "errcode", "code"] {
            if let number = data[key]?.intValue, let code = PairingErrorCode(deviceCode: number) { return code }
        }
        return nil
    }
}
