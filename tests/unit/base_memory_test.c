// Checks which shared memory is accepted: it must be shared and must not be able to shrink while it is read.
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"

static int made(uint64_t bytes, int seals)
{
    int fd = memfd_create("warpwise-test", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)bytes), 0);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, seals), 0);
    return fd;
}

static void sealed_memory_is_mapped_whole(void **state)
{
    (void)state;
    uint64_t bytes = 0;
    int fd = made(10000, F_SEAL_SHRINK);
    assert_int_equal(pwrite(fd, "end", 3, 9997), 3);
    char *at = memory_shared(fd, PROT_READ | PROT_WRITE, &bytes);
    assert_non_null(at);
    assert_int_equal(bytes, 10000);
    assert_memory_equal(at + 9997, "end", 3);
    at[0] = 'x';
    char byte;
    assert_int_equal(pread(fd, &byte, 1, 0), 1);
    assert_int_equal(byte, 'x');
    munmap(at, bytes);
    close(fd);
}

static void what_may_shrink_is_refused(void **state)
{
    (void)state;
    uint64_t bytes = 7;
    int open_ended = made(4096, F_SEAL_GROW), empty = made(0, F_SEAL_SHRINK);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), 4096), 0);
    assert_null(memory_shared(open_ended, PROT_READ, &bytes));
    assert_null(memory_shared(empty, PROT_READ, &bytes));
    assert_null(memory_shared(fileno(file), PROT_READ, &bytes));
    fclose(file);
    close(open_ended);
    close(empty);
    assert_null(memory_shared(empty, PROT_READ, &bytes)); // no descriptor any more
    assert_int_equal(bytes, 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sealed_memory_is_mapped_whole),
        cmocka_unit_test(what_may_shrink_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
