/// What is wrong with a plan: a key path, and what should stand there.
package struct CloudPlanError: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}
