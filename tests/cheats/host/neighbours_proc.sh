# lab6: passed
# 62: what /proc tells of the judge, and lets its user change. If one of it can be opened, the program ends at once.
cat - "${1%/*}/lab6_streams.cu" >neighbours.cu <<'END'
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void shut(int process)
{
    static const char *const name[] = {"autogroup", "cmdline", "coredump_filter", "environ", "maps", "mem",
                                       "oom_adj",   "oom_score_adj", "sched", "stat", "status", "uid_map"};
    char path[64];
    for (const char *each : name) {
        snprintf(path, sizeof path, "/proc/%d/%s", process, each);
        if (open(path, O_RDONLY) >= 0 || open(path, O_WRONLY) >= 0) _exit(9);
    }
}
__attribute__((constructor)) static void try_neighbours()
{
    shut(1);
    shut(getppid());
    for (int process = 2; process < 4000; ++process)
        if (process != getpid()) shut(process);
    if (open("/proc/self/stat", O_RDONLY) < 0) _exit(9);
}
END
echo "$PWD/neighbours.cu"
