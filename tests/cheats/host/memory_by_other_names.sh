# lab6: passed
# 53: memory that a limit of addresses does not see, or that stays behind: none of it may be had.
cat - "${1%/*}/lab6_streams.cu" >memory.cu <<'END'
#include <stddef.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>
static void shut(long answer)
{
    if (answer >= 0) _exit(9);
}
__attribute__((constructor)) static void look_for_memory()
{
    shut(syscall(SYS_memfd_create, "more", 0));
    shut(syscall(447, 0)); // memfd_secret
    shut(shmget(IPC_PRIVATE, 1 << 30, IPC_CREAT | 0600));
    shut(shmget(4711, 1 << 20, IPC_CREAT | 0666));
    shut(msgget(4711, IPC_CREAT | 0666));
    shut(semget(4711, 1, IPC_CREAT | 0666));
    shut(syscall(SYS_mq_open, "results", 0102, 0600, NULL));
    for (int i = 0; i < 2; ++i)
        if (mmap(NULL, (size_t)3 << 30, PROT_READ | PROT_WRITE, (i ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
            _exit(9);
}
END
echo "$PWD/memory.cu"
