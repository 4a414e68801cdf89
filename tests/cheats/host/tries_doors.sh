# lab6: passed
# 33: processes, signals, tracing, sockets, files: nothing of it may succeed, or the program ends at once.
cat - "${1%/*}/lab6_streams.cu" >doors.cu <<'END'
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>
static void shut(long answer)
{
    if (answer >= 0) _exit(9);
}
__attribute__((constructor)) static void try_doors()
{
    shut(fork());
    shut(kill(-1, SIGKILL));
    shut(getppid() ? kill(getppid(), SIGKILL) : -1);
    shut(ptrace(PTRACE_TRACEME, 0, 0, 0));
    shut(socket(AF_INET, SOCK_STREAM, 0));
    shut(socket(AF_UNIX, SOCK_STREAM, 0));
    shut(open("/etc/passwd", O_RDONLY));
    shut(open("/proc/1/mem", O_RDWR));
    shut(open("/proc/1/mem", O_RDONLY));
    shut(open("/proc/1/task/1/mem", O_RDWR));
    shut(open("/tmp/canary", O_WRONLY | O_CREAT, 0600));
    shut(open("canary", O_WRONLY | O_CREAT, 0600));
    for (int fd = 5; fd < 1024; ++fd) shut(fcntl(fd, F_GETFD));
    if (getenv("LD_PRELOAD") || getenv("SEED") || getenv("SUBMISSION")) _exit(9);
}
END
echo "$PWD/doors.cu"
