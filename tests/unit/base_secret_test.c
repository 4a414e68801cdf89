// The keyed hash gives the values of the SipHash paper, purposes are independent, and key files are made and read.
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
// after the above
#include <cmocka.h>

#include "base/secret.h"
#include "base/text.h"

static void hash_is_siphash(void **state)
{
    (void)state;
    // key and message 00 01 02 …; results from the reference code's vectors.h, 15 bytes also from the paper's appendix
    // A
    static const struct secret key = {{0x0706050403020100, 0x0f0e0d0c0b0a0908}};
    unsigned char message[15];
    for (unsigned i = 0; i < sizeof message; ++i) message[i] = (unsigned char)i;
    assert_int_equal(secret_hash(&key, message, 0), 0x726fdb47dd0e0e31);
    assert_int_equal(secret_hash(&key, message, 1), 0x74f839c593dc67fd);
    assert_int_equal(secret_hash(&key, message, 8), 0x93f5f5799a932462);
    assert_int_equal(secret_hash(&key, message, 15), 0xa129ca6149be45e5);
}

static void purposes_are_independent(void **state)
{
    (void)state;
    static const struct secret practice, class = {{1, 2}};
    struct secret a = secret_derive(&practice, "a"), b = secret_derive(&practice, "b"), c = secret_derive(&class, "a");
    struct secret again = secret_derive(&practice, "a");
    assert_memory_equal(&a, &again, sizeof a);
    assert_int_not_equal(a.word[0], a.word[1]);
    assert_int_not_equal(a.word[0], b.word[0]);
    assert_int_not_equal(a.word[1], b.word[1]);
    assert_int_not_equal(a.word[0], c.word[0]);
    assert_int_not_equal(a.word[1], c.word[1]);
}

static char folder[] = "/tmp/base_secret_test.XXXXXX";

static const char *at(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void a_file_is_made_once(void **state)
{
    (void)state;
    struct secret first = {{0}}, second = {{0}}, other = {{0}}, copy = {{0}};
    struct text why = {0};
    struct stat s;
    assert_int_equal(secret_read(&first, at("key"), 0, &why), -1);
    assert_non_null(strstr(why.data, strerror(ENOENT)));
    text_free(&why);
    assert_int_equal(secret_read(&first, at("key"), 1, &why), 0);
    assert_int_equal(secret_read(&second, at("key"), 1, &why), 0);
    assert_int_equal(secret_read(&other, at("other"), 1, &why), 0);
    assert_memory_equal(&first, &second, sizeof first);
    assert_int_not_equal(first.word[0], other.word[0]);
    assert_int_equal(stat(at("key"), &s), 0);
    assert_int_equal(s.st_mode & 07777, 0600);
    assert_int_equal(secret_write(&first, at("other")), 0);
    assert_int_equal(secret_read(&copy, at("other"), 0, &why), 0);
    assert_memory_equal(&first, &copy, sizeof first);
}

static void a_damaged_file_is_no_key(void **state)
{
    (void)state;
    static const char *const damaged[] = {"", "0123456789abcdef\n", "0123456789abcdef0123456789abcdeg\n",
                                          "0123456789abcdef0123456789abcdef0\n"};
    for (size_t i = 0; i < sizeof damaged / sizeof *damaged; ++i) {
        struct secret key;
        struct text why = {0};
        FILE *f = fopen(at("damaged"), "w");
        assert_non_null(f);
        fputs(damaged[i], f);
        fclose(f);
        assert_int_equal(secret_read(&key, at("damaged"), 1, &why), -1);
        assert_non_null(strstr(why.data, "damaged"));
        text_free(&why);
    }
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const name[] = {"key", "other", "damaged"};
    for (size_t i = 0; i < sizeof name / sizeof *name; ++i) unlink(at(name[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_is_siphash),
        cmocka_unit_test(purposes_are_independent),
        cmocka_unit_test(a_file_is_made_once),
        cmocka_unit_test(a_damaged_file_is_no_key),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
