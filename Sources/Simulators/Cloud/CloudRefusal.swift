/// A refusal of the simulated cloud: the vendor's number and words.
///
/// Source: protocol description, section 9.6.
struct CloudRefusal: Error, Equatable, Sendable {
    let code: Int
    let message: String

    static let badSignature = CloudRefusal(code: 1004, message: "sign invalid")
    static let badClient = CloudRefusal(code: 1005, message: "clientId is invalid")
    static let tokenExpired = CloudRefusal(code: 1010, message: "token is expired")
    static let tokenInvalid = CloudRefusal(code: 1011, message: "token invalid")
    static let wrongTime = CloudRefusal(code: 1013, message: "request time is invalid")
    static let missing = CloudRefusal(code: 1100, message: "param is empty")
    static let denied = CloudRefusal(code: 1106, message: "permission deny")
    static let noPath = CloudRefusal(code: 1108, message: "uri path invalid")
    static let illegal = CloudRefusal(code: 1109, message: "param is illegal,please check it")
    static let tooOften = CloudRefusal(code: 1199, message: "your requests are too frequent")
    static let noDevice = CloudRefusal(code: 2010, message: "device does not exist")
    static let notLinked = CloudRefusal(code: 2406, message: "skill id invalid")
}
