# lab6: stopped
# 50: a thread made with CLONE_VFORK: its maker waits as for a disk. Where it cannot be made, the program sleeps.
cat - "${1%/*}/lab6_streams.cu" >waits.cu <<'END'
#include <sched.h>
#include <unistd.h>
static char stack[1 << 16];
static int sleeps(void *)
{
    for (;;) pause();
}
__attribute__((constructor)) static void begin()
{
    clone(sleeps, stack + sizeof stack, CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_VFORK,
          nullptr);
    for (;;) pause();
}
END
echo "$PWD/waits.cu"
