internal import Glibc

/// The number of open descriptors that the system allows this process.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one; each device needs a few descriptors, and the usual limit is 1,024.
    ///
    /// - Returns: the limit in force now.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
