# lab6: stopped
# 50: host code that sleeps, a millisecond at a time, and works a little between.
cat - "${1%/*}/lab6_streams.cu" >waits.cu <<'END'
#include <time.h>
__attribute__((constructor)) static void begin()
{
    for (volatile long k = 0;; ++k) {
        const timespec nap = {0, 1000000};
        nanosleep(&nap, nullptr);
    }
}
END
echo "$PWD/waits.cu"
