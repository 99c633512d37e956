/// What a configuration file may ask of us.
struct YAMLLimits {
    /// The largest file, in bytes.
    var bytes = 1 << 20
    /// The deepest nesting of lists and mappings.
    var depth = 32
    /// The most values, those of repeated anchors counted at each use.
    var nodes = 100_000
}
