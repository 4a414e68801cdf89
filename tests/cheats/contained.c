// Runs a command as a container would that gives no namespaces: contained COMMAND [ARG…]
//
// What Docker's default profile takes away, as far as a sandbox meets it: no rights of root's beyond Docker's fourteen,
// and no unshare, setns, mount, pivot_root, nor clone with a new namespace (EPERM). The filesystem stays as it is.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/die.h"

static const int kept[] = {
    CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_FSETID,           CAP_FOWNER,  CAP_MKNOD,      CAP_NET_RAW, CAP_SETGID,
    CAP_SETUID, CAP_SETFCAP,      CAP_NET_BIND_SERVICE, CAP_SETPCAP, CAP_SYS_CHROOT, CAP_KILL,    CAP_AUDIT_WRITE,
};

static int is_kept(int capability)
{
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; ++i)
        if (kept[i] == capability) return 1;
    return 0;
}

int main(int argc, char **argv)
{
    static const char *const denied[] = {"unshare", "setns", "mount", "umount2", "pivot_root", "fsopen", "open_tree"};
    static const unsigned long space[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                          CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
    if (argc < 2) die("usage: contained COMMAND [ARG…]");
    for (int c = 0; c <= CAP_LAST_CAP; ++c)
        if (!is_kept(c)) prctl(PR_CAPBSET_DROP, c, 0, 0, 0); // holds from the next exec on
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) die("no seccomp");
    int failed = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    for (unsigned i = 0; i < sizeof denied / sizeof *denied; ++i)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), seccomp_syscall_resolve_name(denied[i]), 0);
    for (unsigned i = 0; i < sizeof space / sizeof *space; ++i)
        failed |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                                   SCMP_A0(SCMP_CMP_MASKED_EQ, space[i], space[i]));
    if (failed || seccomp_load(filter)) die("cannot enter the filter");
    seccomp_release(filter);
    execvp(argv[1], argv + 1);
    die("cannot start '%s'", argv[1]);
}
