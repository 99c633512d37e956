#pragma once
#include <uv.h>

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc declares close_range only under _GNU_SOURCE, and syscall and prctl are variadic: Swift can call neither.

// Sets close-on-exec on all descriptors from `first` up; 4 is CLOSE_RANGE_CLOEXEC (close_range(2), Linux 5.11).
static inline int lintel_close_on_exec_from(unsigned first) {
    return syscall(SYS_close_range, first, ~0U, 4) == 0 ? 0 : errno;
}

// Asks the kernel to send `signal` to this process when the thread that started it ends (prctl(2)).
static inline int lintel_signal_at_parent_death(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0) == 0 ? 0 : errno;
}

// Sets soft and hard limit of a resource of another process (prlimit(2)); RLIM_INFINITY is ~0.
static inline int lintel_limit_process(int pid, int resource, unsigned long long limit) {
    unsigned long long both[2] = {limit, limit};
    return syscall(SYS_prlimit64, pid, resource, both, (void *)0) == 0 ? 0 : errno;
}
