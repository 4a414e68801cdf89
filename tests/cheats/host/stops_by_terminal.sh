# lab6: stopped
# 50: a program that a thread stops with the signal of a terminal, while the first thread sleeps.
cat - "${1%/*}/lab6_streams.cu" >waits.cu <<'END'
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void *stop(void *)
{
    sleep(1);
    kill(getpid(), SIGTTIN);
    return nullptr;
}
__attribute__((constructor)) static void begin()
{
    pthread_t thread;
    pthread_create(&thread, nullptr, stop, nullptr);
    for (;;) pause();
}
END
echo "$PWD/waits.cu"
