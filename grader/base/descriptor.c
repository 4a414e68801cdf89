// See descriptor.h. Uses close_range() to close descriptors. If close_range() is missing (before Linux 5.9) or a
// seccomp filter forbids close_range(), a loop closes one descriptor at a time.
#define _GNU_SOURCE
#include "base/descriptor.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

void descriptor_close_from(unsigned first)
{
    if (!syscall(SYS_close_range, first, ~0u, 0)) return;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > 65536) files.rlim_cur = 65536;
    for (unsigned fd = first; fd < files.rlim_cur; ++fd) close((int)fd);
}
