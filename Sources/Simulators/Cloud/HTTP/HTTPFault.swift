/// Why a server does not read on; the number is the status that it answers with.
package enum HTTPFault: Int, Error, Equatable, Sendable {
    case badRequest = 400
    case bodyTooLarge = 413
    case targetTooLong = 414
    case headersTooLarge = 431
    case notImplemented = 501
}
