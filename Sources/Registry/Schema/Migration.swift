/// One step of the schema.
///
/// Once released, a step never changes: what it should have done otherwise is the next step's work.
package struct Migration: Sendable {
    /// The schema's number after this step; steps are numbered from 1 without gaps.
    let number: Int
    /// Its statements.
    let sql: String

    /// Describes a step.
    package init(_ number: Int, _ sql: String) {
        self.number = number
        self.sql = sql
    }
}
