package import JSON

/// Something that the simulated cloud does instead of answering properly.
package struct CloudFault: Sendable, Equatable {
    package enum Act: Sendable, Equatable {
        /// A refusal with one of the vendor's numbers.
        case code(Int, message: String)
        /// The same, with the number as text.
        case textCode(String, message: String)
        /// A page for people, such as a portal shows.
        case page(status: Int)
        /// JSON without `success`.
        case shapeless
        /// `success` with a result of another type than expected.
        case emptyResult
        /// White space of this many bytes before the answer.
        case huge(bytes: Int)
        case close
        case silence
        /// The right answer, later.
        case delay(milliseconds: Int)
        /// A redirect to another place.
        case redirect(to: String)
    }

    /// Paths that begin with it; empty: all but the simulator's own.
    package var path: String
    /// `GET`, `POST` …; nil: any.
    package var method: String?
    /// How often it still happens; nil: for ever.
    package var times: Int?
    package var act: Act

    package init(_ act: Act, path: String = "", method: String? = nil, times: Int? = 1) {
        self.path = path
        self.method = method
        self.times = times
        self.act = act
    }

    func concerns(_ request: HTTPRequest) -> Bool {
        request.path.hasPrefix(path) && (method == nil || method == request.method)
    }
}

extension CloudFault {
    /// Reads `{"do":"code","code":1010,"msg":"…","path":"/v1.0/token","method":"GET","times":2}`.
    ///
    /// `do` is `code`, `text_code`, `page` (`status`), `shapeless`, `empty_result`, `huge` (`bytes`), `close`, `silence`,
    /// `delay` (`ms`) or `redirect` (`to`); `times` 0 stands for ever.
    package init?(json: JSON) {
        let message = json["msg"]?.stringValue ?? "asked for"
        let act: Act
        switch json["do"]?.stringValue {
        case "code":
            guard let code = json["code"]?.intValue else { return nil }
            act = .code(code, message: message)
        case "text_code":
            guard let code = json["code"]?.stringValue else { return nil }
            act = .textCode(code, message: message)
        case "page": act = .page(status: json["status"]?.intValue ?? 200)
        case "shapeless": act = .shapeless
        case "empty_result": act = .emptyResult
        case "huge":
            let bytes = json["bytes"]?.intValue ?? 64 << 20
            guard (0...(256 << 20)).contains(bytes) else { return nil }
            act = .huge(bytes: bytes)
        case "close": act = .close
        case "silence": act = .silence
        case "delay":
            guard let milliseconds = json["ms"]?.intValue, milliseconds >= 0 else { return nil }
            act = .delay(milliseconds: milliseconds)
        case "redirect": act = .redirect(to: json["to"]?.stringValue ?? "http://203.0.113.1/")
        default: return nil
        }
        let times = json["times"]?.intValue ?? 1
        self.init(
            act,
            path: json["path"]?.stringValue ?? "",
            method: json["method"]?.stringValue,
            times: times == 0 ? nil : times
        )
    }
}
