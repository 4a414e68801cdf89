# lab6: stopped
# 50: two threads that sleep and print in turn, one of them errors.
cat - "${1%/*}/lab6_streams.cu" >waits.cu <<'END'
#include <pthread.h>
#include <unistd.h>
static void *print(void *at)
{
    while (write(*(int *)at, "-\n", 2) == 2) usleep(30000);
    return nullptr;
}
__attribute__((constructor)) static void begin()
{
    static int to[] = {1, 2};
    pthread_t thread;
    pthread_create(&thread, nullptr, print, &to[1]);
    usleep(15000);
    print(&to[0]);
}
END
echo "$PWD/waits.cu"
