# lab6: passed
# 62: priority and I/O class of the judge, of a group and of all processes of the user. If one is changed, the program ends at once.
cat - "${1%/*}/lab6_streams.cu" >neighbours.cu <<'END'
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
static void shut(long answer)
{
    if (answer >= 0) _exit(9);
}
__attribute__((constructor)) static void try_neighbours()
{
    int judge = getppid() ? getppid() : 2; // in a namespace of its own, a program has no parent
    shut(setpriority(PRIO_PROCESS, judge, 19));
    shut(setpriority(PRIO_PGRP, 0, 19));
    shut(setpriority(PRIO_USER, 0, 19));
    shut(setpriority(PRIO_USER, getuid(), 19));
    shut(syscall(SYS_ioprio_set, 1, judge, 3 << 13));
    shut(syscall(SYS_ioprio_set, 2, 0, 3 << 13));
    shut(syscall(SYS_ioprio_set, 3, getuid(), 3 << 13));
}
END
echo "$PWD/neighbours.cu"
