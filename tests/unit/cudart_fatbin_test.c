// Fat binaries: which of several PTX texts is chosen, compressed or not, and the messages for those that cannot be
// read.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <lz4.h>
#include <string.h>
#include <zstd.h>

#include "base/fatbin.h"
#include "base/text.h"
#include "host/runtime/fat_binary.h"

static _Alignas(8) unsigned char file[2][4096];
static size_t used[2];

static void begin(int f)
{
    struct fatbin_header header = {FATBIN_MAGIC, 1, sizeof header, 0};
    memcpy(file[f], &header, sizeof header);
    used[f] = sizeof header;
}

static void add(int f, uint16_t kind, uint32_t capability, uint64_t flags, const char *text)
{
    char packed[1024] = {0};
    size_t plain = strlen(text) + 1, bytes = plain;
    memcpy(packed, text, plain);
    if (flags & FATBIN_ZSTD) bytes = ZSTD_compress(packed, sizeof packed, text, plain, 3);
    if (flags & FATBIN_LZ4) bytes = (size_t)LZ4_compress_default(text, packed, (int)plain, sizeof packed);
    struct fatbin_entry entry = {.kind = kind,
                                 .version = 0x101,
                                 .bytes = sizeof entry,
                                 .payload = (bytes + 7) / 8 * 8,
                                 .compressed = (uint32_t)bytes,
                                 .capability = capability,
                                 .flags = flags,
                                 .plain = plain};
    memcpy(file[f] + used[f], &entry, sizeof entry);
    memcpy(file[f] + used[f] + sizeof entry, packed, entry.payload);
    used[f] += sizeof entry + entry.payload;
    ((struct fatbin_header *)file[f])->payload = used[f] - sizeof(struct fatbin_header);
}

static struct wrapper {
    uint32_t magic, version;
    const void *data, *files;
} one = {0x466243b1, 1, file[0], NULL};

static void expect(const void *wrapper, enum cudart_fatbin_result result, const char *first, const char *second,
                   const char *sentence)
{
    struct cudart_fatbin code;
    struct text why = {0};
    assert_int_equal(cudart_fatbin_read(wrapper, 80, &code, &why), result);
    assert_int_equal(code.units, (first != NULL) + (second != NULL));
    if (first) assert_string_equal(code.unit[0].data, first);
    if (second) assert_string_equal(code.unit[1].data, second);
    if (sentence) assert_non_null(strstr(why.data, sentence));
    cudart_fatbin_free(&code);
    text_free(&why);
}

static void test_the_newest_that_runs(void **state)
{
    (void)state;
    begin(0);
    add(0, FATBIN_PTX, 75, 0, "for 75");
    add(0, FATBIN_PTX, 80, 0, "for 80");
    add(0, 2, 80, 0, "machine code");
    add(0, FATBIN_PTX, 90, 0, "for 90");
    expect(&one, FATBIN_READ, "for 80", NULL, NULL);
}

static void test_compressed(void **state)
{
    (void)state;
    static const char text[] = ".version 9.0 .version 9.0 .version 9.0 .version 9.0 .version 9.0 .version 9.0";
    begin(0);
    add(0, FATBIN_PTX, 80, FATBIN_ZSTD, text);
    expect(&one, FATBIN_READ, text, NULL, NULL);
    begin(0);
    add(0, FATBIN_PTX, 80, FATBIN_LZ4, text);
    expect(&one, FATBIN_READ, text, NULL, NULL);
}

static void test_several_files(void **state)
{
    (void)state;
    const void *files[] = {file[0], file[1], NULL};
    struct wrapper linked = {0x466243b1, 2, NULL, files};
    begin(0);
    add(0, FATBIN_PTX, 80, 0, "first");
    begin(1);
    add(1, FATBIN_PTX, 80, 0, "second");
    expect(&linked, FATBIN_READ, "first", "second", NULL);
    begin(1); // a library of machine code
    add(1, 2, 90, 0, "machine code");
    expect(&linked, FATBIN_READ, "first", NULL, NULL);
}

static void test_a_whole_program(void **state)
{
    (void)state;
    begin(0);
    add(0, FATBIN_PTX, 80, FATBIN_RELOCATABLE, "first");
    add(0, FATBIN_PTX, 80, FATBIN_RELOCATABLE, "second");
    expect(&one, FATBIN_READ, "first", "second", NULL);
}

static void test_nothing_to_run(void **state)
{
    (void)state;
    begin(0);
    expect(&one, FATBIN_READ, NULL, NULL, NULL);
    add(0, 2, 90, 0, "machine code");
    expect(&one, FATBIN_NO_PTX, NULL, NULL, "sm_90");
    add(0, FATBIN_PTX, 100, 0, "newer");
    expect(&one, FATBIN_TOO_NEW, NULL, NULL, "compute_100");
}

static void test_broken(void **state)
{
    (void)state;
    struct wrapper unknown = {0x466243b1, 3, file[0], NULL};
    begin(0);
    add(0, FATBIN_PTX, 80, FATBIN_ZSTD, "a text that is cut");
    expect(&unknown, FATBIN_MALFORMED, NULL, NULL, "unknown form");
    ((struct fatbin_header *)file[0])->payload -= 8;
    expect(&one, FATBIN_MALFORMED, NULL, NULL, "cut off");
    ((struct fatbin_header *)file[0])->payload += 8;
    file[0][sizeof(struct fatbin_header) + sizeof(struct fatbin_entry)] ^= 0xff;
    struct cudart_fatbin code;
    struct text why = {0};
    assert_int_equal(cudart_fatbin_read(&one, 80, &code, &why), FATBIN_MALFORMED);
    assert_non_null(strstr(why.data, "cannot be unpacked"));
    cudart_fatbin_free(&code);
    text_free(&why);
    file[0][0] = 0;
    expect(&one, FATBIN_MALFORMED, NULL, NULL, "no fat binary");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_newest_that_runs),
        cmocka_unit_test(test_compressed),
        cmocka_unit_test(test_several_files),
        cmocka_unit_test(test_nothing_to_run),
        cmocka_unit_test(test_broken),
        cmocka_unit_test(test_a_whole_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
