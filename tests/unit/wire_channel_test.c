// The channel: what passes through it whole, and what a hostile or silent peer gets out of it.
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "wire/channel.h"

enum { BYTES = 8192 };
static const struct channel_build build = {.magic = 1234, .version = 5, .bytes = {BYTES, 6, 7, 8}};
static struct channel here, there;

// Both ends in this process; the far one has descriptors of its own.
static void connect_both(void)
{
    assert_int_equal(channel_make(&here, "warpwise-test", &build), 0);
    assert_int_equal(channel_open(&there, dup(here.memory), dup(here.theirs), BYTES), 0);
    channel_started(&here);
}

static void part(void)
{
    channel_free(&here);
    channel_free(&there);
    channel_free(&there); // twice is once
}

static void both_see_the_same_memory(void **state)
{
    (void)state;
    connect_both();
    assert_int_equal(there.bytes, BYTES);
    assert_true(channel_same_build(there.shared, &build));
    for (size_t i = 0; i < sizeof build; ++i) {
        ((unsigned char *)here.shared)[i] ^= 1;
        assert_false(channel_same_build(there.shared, &build));
        ((unsigned char *)here.shared)[i] ^= 1;
    }
    assert_int_equal(ftruncate(there.memory, 0), -1);
    assert_int_equal(ftruncate(there.memory, 2 * BYTES), -1);
    part();
}

static void only_sealed_memory_of_the_size_is_opened(void **state)
{
    (void)state;
    int small = memory_make_shared("small", 100), loose = memfd_create("loose", MFD_ALLOW_SEALING);
    assert_int_equal(ftruncate(loose, BYTES), 0);
    assert_int_equal(channel_open(&there, small, -1, 101), -1);
    assert_int_equal(channel_open(&there, loose, -1, 100), -1);
    assert_int_equal(channel_open(&there, -1, -1, 100), -1);
    assert_int_equal(fcntl(small, F_GETFD), FD_CLOEXEC); // both are still the caller's
    assert_int_equal(fcntl(loose, F_GETFD), 0);
    close(small);
    close(loose);
}

static void a_ring_is_heard_once_and_brings_a_descriptor(void **state)
{
    (void)state;
    int came = 7, sent = memory_make_shared("sent", 4096);
    uint64_t bytes;
    connect_both();
    assert_int_equal(channel_ring(&here, -1), 0);
    assert_int_equal(channel_wait(&there, 0, 0, &came), 0);
    assert_int_equal(came, -1);
    assert_int_equal(channel_ring(&here, sent), 0);
    assert_int_equal(channel_wait(&there, 1, 10, &came), 0);
    char *at = memory_shared(came, PROT_READ, &bytes);
    assert_non_null(at);
    munmap(at, bytes);
    close(came);
    assert_int_equal(channel_wait(&there, 0.01, 10, NULL), 1); // silence
    // What nobody asks for is not received: the lowest descriptor stays free.
    int lowest = dup(sent);
    close(lowest);
    assert_int_equal(channel_ring(&here, sent), 0);
    assert_int_equal(channel_wait(&there, 0, 0, NULL), 0);
    assert_int_equal(dup(sent), lowest);
    close(lowest);
    close(sent);
    part();
}

static void the_end_of_a_peer_is_seen(void **state)
{
    (void)state;
    connect_both();
    channel_free(&there);
    assert_int_equal(channel_wait(&here, 0, 0, NULL), -1);
    assert_int_equal(channel_wait(&here, 1, 1000, NULL), -1);
    assert_int_equal(channel_ring(&here, -1), -1);
    part();
}

static void a_message_has_its_size(void **state)
{
    (void)state;
    int pair[2];
    char in[8] = "";
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair), 0);
    assert_int_equal(channel_send(pair[0], "message", 8, -1), 0);
    assert_int_equal(channel_receive(pair[1], in, 8, 0, 0, NULL), 0);
    assert_string_equal(in, "message");
    assert_int_equal(channel_send(pair[0], "messages", 9, -1), 0);
    assert_int_equal(channel_receive(pair[1], in, 8, 0, 0, NULL), -1);
    assert_int_equal(channel_send(pair[0], "message", 7, -1), 0);
    assert_int_equal(channel_receive(pair[1], in, 8, 0, 0, NULL), -1);
    assert_int_equal(channel_receive(pair[1], in, 8, 0.01, 3, NULL), 1);
    close(pair[0]);
    assert_int_equal(channel_receive(pair[1], in, 8, 0.01, 3, NULL), -1);
    close(pair[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_see_the_same_memory),
        cmocka_unit_test(only_sealed_memory_of_the_size_is_opened),
        cmocka_unit_test(a_ring_is_heard_once_and_brings_a_descriptor),
        cmocka_unit_test(the_end_of_a_peer_is_seen),
        cmocka_unit_test(a_message_has_its_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
