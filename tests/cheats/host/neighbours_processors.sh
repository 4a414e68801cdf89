# lab6: passed
# 62: processors and scheduler of the judge and of the processes that were started around this one. If one is changed, the program ends at once.
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
    cpu_set_t one;
    struct sched_param none = {0};
    struct { unsigned size, policy; unsigned long flags; int nice; unsigned priority; unsigned long time[3]; } idle = {48, 5};
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    shut(sched_setaffinity(judge, sizeof one, &one));
    for (int k = 1; k < 40 && k < getpid(); ++k) shut(sched_setaffinity(getpid() - k, sizeof one, &one));
    shut(syscall(SYS_sched_setscheduler, judge, 5, &none));
    shut(syscall(SYS_sched_setparam, judge, &none));
    shut(syscall(SYS_sched_setattr, judge, &idle, 0));
}
END
echo "$PWD/neighbours.cu"
