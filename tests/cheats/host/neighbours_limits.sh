# lab6: passed
# 62: limits, memory and handles of the judge. If one is changed, the program ends at once.
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
    struct rlimit least = {0, 0};
    unsigned long nodes = 1;
    void *page = &least;
    int status;
    shut(syscall(SYS_prlimit64, judge, RLIMIT_NOFILE, &least, 0));
    shut(syscall(SYS_prlimit64, judge, RLIMIT_FSIZE, &least, 0));
    shut(syscall(SYS_migrate_pages, judge, 8 * sizeof nodes, &nodes, &nodes));
    shut(syscall(SYS_move_pages, judge, 1, &page, 0, &status, 0));
    shut(syscall(434, judge, 0)); // pidfd_open
    shut(syscall(434, getpid(), 0));
    shut(syscall(SYS_process_vm_readv, judge, 0, 0, 0, 0, 0));
    shut(syscall(SYS_kill, judge, 0));
    shut(syscall(SYS_tgkill, judge, judge, 0));
}
END
echo "$PWD/neighbours.cu"
