// Client and server of the wire protocol, with the server in another process: what is transferred unchanged, and how
// the client reacts if the server dies, hangs, lies or answers another question.
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "fake_engine.h"
#include "wire/shared.h"

static struct wire_client client;
static pid_t server;

// A server that takes one command and answers as `lie` says.
static void lie_once(struct wire_client *c, void (*lie)(struct wire_shared *))
{
    char byte;
    if (read(c->channel.theirs, &byte, 1) != 1) _exit(1);
    lie(c->shared);
    if (write(c->channel.theirs, "!", 1) != 1) _exit(1);
    pause();
    _exit(0);
}

static void start(const char *mode, void (*lie)(struct wire_shared *))
{
    assert_int_equal(wire_client_make(&client, 1), 0);
    server = fork();
    assert_true(server >= 0);
    if (!server) {
        close(client.channel.doorbell);
        fake_mode = mode;
        if (lie) lie_once(&client, lie);
        _exit(wire_serve(client.channel.memory, client.channel.theirs, &fake_engine_ops, fake_describe));
    }
    channel_started(&client.channel);
}

static int stop(void)
{
    int status = 0;
    kill(server, SIGKILL);
    waitpid(server, &status, 0);
    wire_client_free(&client);
    return status;
}

static int open_and_load(void)
{
    struct wire_device device;
    struct engine_image image;
    int answer = wire_open(&client, &(struct engine_options){0}, &device);
    return answer ? answer : wire_load(&client, "scale", 5, &image);
}

static void honest_life(void **state)
{
    (void)state;
    start("right", NULL);
    struct wire_device device;
    assert_int_equal(wire_open(&client, &(struct engine_options){.device = "fake"}, &device), WIRE_YES);
    assert_int_equal(device.sms, 4);
    assert_string_equal(device.engine, "fake");
    struct engine_image image;
    assert_int_equal(wire_load(&client, "scale", 5, &image), WIRE_YES);
    assert_int_equal(image.nkernels, 1);
    assert_string_equal(image.kernel[0].name, "scale");
    struct lab_shape shape;
    size_t size;
    assert_int_equal(wire_symbol(&client, "scale_launch", &shape, sizeof shape, &size), WIRE_YES);
    assert_int_equal(size, sizeof shape);
    assert_int_equal(shape.block[0], 64);
    assert_int_equal(wire_symbol(&client, "nothing", &shape, sizeof shape, &size), WIRE_NO);
    assert_int_equal(wire_reset(&client), WIRE_YES);
    assert_int_equal(wire_close(&client), WIRE_YES);
    int status;
    assert_int_equal(waitpid(server, &status, 0), server);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    wire_client_free(&client);
}

static void large_buffers_come_back(void **state)
{
    (void)state;
    enum { BYTES = 9 << 20 }; // three pieces
    start("right", NULL);
    assert_int_equal(open_and_load(), WIRE_YES);
    int buffer;
    assert_int_equal(wire_alloc(&client, BYTES, 4, &buffer), WIRE_YES);
    unsigned char *out = malloc(BYTES), *in = malloc(BYTES);
    for (size_t i = 0; i < BYTES; ++i) out[i] = (unsigned char)(i * 2654435761u >> 13);
    assert_int_equal(wire_write(&client, buffer, 0, out, BYTES, 0), WIRE_YES);
    assert_int_equal(wire_read(&client, buffer, 0, in, BYTES), WIRE_YES);
    assert_memory_equal(in, out, BYTES);
    assert_int_equal(wire_write(&client, buffer, -ENGINE_GUARD, out, ENGINE_GUARD, 1), WIRE_YES);
    assert_int_equal(wire_read(&client, buffer, -ENGINE_GUARD, in, ENGINE_GUARD), WIRE_YES);
    assert_memory_equal(in, out, ENGINE_GUARD);
    assert_int_equal(wire_read(&client, buffer, BYTES, in, ENGINE_GUARD + 1), WIRE_NO);
    uint64_t first;
    assert_int_equal(wire_compare(&client, buffer, out, BYTES, &first), WIRE_YES);
    assert_int_equal(first, BYTES);
    static const uint64_t wrong[] = {0, 1, (4 << 20) - 1, 4 << 20, BYTES - 1}; // at both ends of a piece
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        out[wrong[i]] ^= 1;
        assert_int_equal(wire_compare(&client, buffer, out, BYTES, &first), WIRE_YES);
        assert_int_equal(first, wrong[i]);
        out[wrong[i]] ^= 1;
    }
    assert_int_equal(wire_compare(&client, buffer + 1, out, 4, &first), WIRE_NO);
    free(in);
    free(out);
    stop();
}

static void launch_is_carried(void **state)
{
    (void)state;
    static struct observation o;
    start("race", NULL);
    assert_int_equal(open_and_load(), WIRE_YES);
    int in, out;
    float x[4] = {1, 2, 3, 4};
    assert_int_equal(wire_alloc(&client, sizeof x, 4, &in), WIRE_YES);
    assert_int_equal(wire_alloc(&client, sizeof x, 4, &out), WIRE_YES);
    assert_int_equal(wire_write(&client, in, 0, x, sizeof x, 0), WIRE_YES);
    struct engine_launch l = {.kernel = "scale",
                              .grid = {1, 1, 1},
                              .block = {64, 1, 1},
                              .nargs = 3,
                              .arg = {{.kind = ARG_BUFFER, .bytes = 8, .buffer = in},
                                      {.kind = ARG_BUFFER, .bytes = 8, .buffer = out},
                                      {.kind = ARG_VALUE, .bytes = 4, .value = 4}}};
    assert_int_equal(wire_launch(&client, &l, &o), WIRE_YES);
    assert_int_equal(o.nfindings, 1);
    assert_int_equal(o.finding[0].kind, FINDING_race_waw);
    assert_int_equal(wire_read(&client, out, 0, x, sizeof x), WIRE_YES);
    assert_true(x[0] == 3 && x[3] == 9);
    stop();
}

static void refusals_have_a_sentence(void **state)
{
    (void)state;
    struct wire_device device;
    start("no-open", NULL);
    assert_int_equal(wire_open(&client, &(struct engine_options){0}, &device), WIRE_NO);
    assert_string_equal(client.message, "the fake does not open");
    stop();
    start("", NULL);
    assert_int_equal(wire_open(&client, &(struct engine_options){.device = "riva128"}, &device), WIRE_NO);
    assert_non_null(strstr(client.message, "riva128"));
    assert_int_equal(client.end, WIRE_ALIVE);
    stop();
}

static void breaks(const char *mode, enum wire_end end)
{
    static struct observation o;
    struct engine_launch l = {.kernel = "scale", .grid = {1, 1, 1}, .block = {1, 1, 1}};
    start(mode, NULL);
    assert_int_equal(open_and_load(), WIRE_YES);
    assert_int_equal(wire_launch(&client, &l, &o), WIRE_BROKEN);
    assert_int_equal(client.end, end);
    assert_true(client.message[0] != 0);
    assert_int_equal(wire_reset(&client), WIRE_BROKEN); // and stays so
    stop();
}

static void death_is_noticed(void **state)
{
    (void)state;
    breaks("die", WIRE_DIED);
}

static void silence_is_noticed(void **state)
{
    (void)state;
    client.patience_s = 1;
    breaks("hang", WIRE_TIMEOUT);
}

static void nonsense_is_noticed(void **state)
{
    (void)state;
    breaks("nonsense", WIRE_NONSENSE);
}

static void answer_another_question(struct wire_shared *s)
{
    s->reply.number = s->command.number + 1;
}
static void endless_message(struct wire_shared *s)
{
    s->reply.number = s->command.number;
    s->reply.result = -1;
    memset(s->reply.message, 'x', sizeof s->reply.message);
}
static void no_multiprocessors(struct wire_shared *s)
{
    s->reply.number = s->command.number;
}
static void lies_are_noticed(void **state)
{
    (void)state;
    static void (*const lies[])(struct wire_shared *) = {answer_another_question, endless_message, no_multiprocessors};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
        struct wire_device device;
        start("right", lies[i]);
        assert_int_equal(wire_open(&client, &(struct engine_options){0}, &device), WIRE_BROKEN);
        assert_int_equal(client.end, WIRE_NONSENSE);
        stop();
    }
}

static void large_index(struct wire_shared *s)
{
    s->reply.number = s->command.number;
    s->reply.result = ENGINE_BUFFERS;
}
static void buffer_index_is_bounded(void **state)
{
    (void)state;
    int buffer = -7;
    start("right", large_index);
    assert_int_equal(wire_alloc(&client, 4, 4, &buffer), WIRE_BROKEN);
    assert_int_equal(buffer, -7);
    stop();
}

static void large_symbol(struct wire_shared *s)
{
    s->reply.number = s->command.number;
    s->reply.result = INT64_MAX;
}
static void symbol_is_bounded(void **state)
{
    (void)state;
    char bytes[16] = "unchanged";
    size_t size;
    start("right", large_symbol);
    assert_int_equal(wire_symbol(&client, "x", bytes, 4, &size), WIRE_YES);
    assert_int_equal(size, INT64_MAX);
    assert_string_equal(bytes + 4, "anged"); // no more than asked for
    stop();
}

// A runner that shrank the memory would kill the judge by SIGBUS.
static void memory_cannot_shrink(void **state)
{
    (void)state;
    start("right", NULL);
    assert_int_equal(ftruncate(client.channel.memory, 0), -1);
    assert_int_equal(fcntl(client.channel.memory, F_GET_SEALS) & F_SEAL_SHRINK, F_SEAL_SHRINK);
    stop();
}

static void other_builds_part_at_once(void **state)
{
    (void)state;
    assert_int_equal(wire_client_make(&client, 1), 0);
    client.shared->build.bytes[2] += 8;
    server = fork();
    if (!server) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        wire_serve(client.channel.memory, client.channel.theirs, &fake_engine_ops, fake_describe);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(server, &status, 0), server);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 2);
    wire_client_free(&client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_life),
        cmocka_unit_test(large_buffers_come_back),
        cmocka_unit_test(launch_is_carried),
        cmocka_unit_test(refusals_have_a_sentence),
        cmocka_unit_test(death_is_noticed),
        cmocka_unit_test(silence_is_noticed),
        cmocka_unit_test(nonsense_is_noticed),
        cmocka_unit_test(lies_are_noticed),
        cmocka_unit_test(buffer_index_is_bounded),
        cmocka_unit_test(symbol_is_bounded),
        cmocka_unit_test(memory_cannot_shrink),
        cmocka_unit_test(other_builds_part_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
