/// Names the subject of ``PairingID``.
public enum PairingSubject {}
/// A pairing session, in topics and requests: `p-` and hexadecimal digits.
public typealias PairingID = Identifier<PairingSubject>
