// See secret.h. The keyed hash is SipHash-2-4 (Aumasson, Bernstein: "SipHash: a fast short-input PRF", Indocrypt 2012;
// reference code at https://github.com/veorq/SipHash). A key file holds one line of 32 hexadecimal digits. A new key
// file is written under a temporary name and gets its final name by link(2), which fails if the file already exists.
#define _GNU_SOURCE
#include "base/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"

enum { WORD = 8, LINE = 33, PATH = 4096 };

struct sip {
    uint64_t v[4];
};

static uint64_t rotate(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static void rounds(struct sip *s, int count)
{
    uint64_t *v = s->v;
    for (int i = 0; i < count; ++i) {
        v[0] += v[1], v[1] = rotate(v[1], 13) ^ v[0], v[0] = rotate(v[0], 32);
        v[2] += v[3], v[3] = rotate(v[3], 16) ^ v[2];
        v[0] += v[3], v[3] = rotate(v[3], 21) ^ v[0];
        v[2] += v[1], v[1] = rotate(v[1], 17) ^ v[2], v[2] = rotate(v[2], 32);
    }
}

static void absorb(struct sip *s, uint64_t word)
{
    s->v[3] ^= word;
    rounds(s, 2);
    s->v[0] ^= word;
}

// Returns the `count` bytes at `p`, at most 8, as a little-endian number.
static uint64_t little(const unsigned char *p, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; ++i) word |= (uint64_t)p[i] << 8 * i;
    return word;
}

uint64_t secret_hash(const struct secret *key, const void *data, size_t bytes)
{
    const uint64_t *k = key->word;
    const unsigned char *at = data;
    struct sip s = {{k[0] ^ 0x736f6d6570736575u, k[1] ^ 0x646f72616e646f6du, k[0] ^ 0x6c7967656e657261u,
                     k[1] ^ 0x7465646279746573u}};
    size_t rest = bytes % WORD;
    for (const unsigned char *end = at + (bytes - rest); at < end; at += WORD) absorb(&s, little(at, WORD));
    absorb(&s, (uint64_t)bytes << 56 | little(at, rest));
    s.v[2] ^= 0xff;
    rounds(&s, 4);
    return s.v[0] ^ s.v[1] ^ s.v[2] ^ s.v[3];
}

// Makes each of the two 64-bit words of the derived key a keyed hash of the purpose, followed by "/0" or "/1".
struct secret secret_derive(const struct secret *from, const char *purpose)
{
    struct text t = {0};
    struct secret key;
    text_printf(&t, "%s/0", purpose);
    key.word[0] = secret_hash(from, t.data, t.length);
    t.data[t.length - 1] = '1';
    key.word[1] = secret_hash(from, t.data, t.length);
    text_free(&t);
    return key;
}

void secret_seal(const struct secret *key, const char *purpose, const void *data, size_t bytes, uint64_t seal[2])
{
    static const char *const half[2] = {"first", "second"};
    for (int i = 0; i < 2; ++i) {
        struct text t = {0};
        text_printf(&t, "%s, %s half", purpose, half[i]);
        struct secret own = secret_derive(key, t.data);
        seal[i] = secret_hash(&own, data, bytes);
        text_free(&t);
    }
}

// ---------------------------------------------------------------------------------------------------------- key files
static int fail(struct text *why, const char *path, int error)
{
    text_say(why, "cannot use the key '%s': %s", path, strerror(error));
    return -1;
}

// Writes the key to a file with a unique temporary name, which begins with `path` and is stored in `new`. Returns 0 or
// an errno value.
static int write_new(const struct secret *key, const char *path, char new[PATH])
{
    char line[LINE + 1];
    if (snprintf(new, PATH, "%s.XXXXXX", path) >= PATH) return ENAMETOOLONG;
    snprintf(line, sizeof line, "%016" PRIx64 "%016" PRIx64 "\n", key->word[0], key->word[1]);
    int fd = mkostemp(new, O_CLOEXEC); // mode 0600
    if (fd < 0) return errno;
    errno = EIO; // in case write() writes only a part
    int error = write(fd, line, LINE) != LINE || fsync(fd) ? errno : 0;
    if (close(fd) && !error) error = errno;
    if (error) unlink(new);
    return error;
}

// Makes a file with a random key, unless another process has made the file meanwhile. Returns 0 or an errno value.
static int make_file(const char *path)
{
    struct secret key;
    char new[PATH];
    if (getrandom(&key, sizeof key, 0) != sizeof key) return EIO;
    int error = write_new(&key, path, new);
    if (error) return error;
    if (link(new, path) && errno != EEXIST) error = errno;
    unlink(new);
    return error;
}

int secret_write(const struct secret *key, const char *path)
{
    char new[PATH];
    int error = write_new(key, path, new);
    if (error) return error;
    if (!rename(new, path)) return 0;
    error = errno;
    unlink(new);
    return error;
}

int secret_read(struct secret *key, const char *path, int make, struct text *why)
{
    struct text t = {0};
    struct stat s;
    int end = 0, error = text_read_file(&t, path, LINE);
    if (error == ENOENT && make) {
        error = make_file(path);
        if (!error) error = text_read_file(&t, path, LINE);
    }
    int good = !error && t.length == LINE && strspn(t.data, "0123456789abcdef") == LINE - 1 &&
               sscanf(t.data, "%16" SCNx64 "%16" SCNx64 "%n", &key->word[0], &key->word[1], &end) == 2 &&
               end == LINE - 1;
    text_free(&t);
    if (error) return fail(why, path, error);
    if (!good) {
        text_say(why, "the key '%s' is damaged: it must be a line of 32 hexadecimal digits", path);
        return -1;
    }
    if (!stat(path, &s) && s.st_mode & 077)
        message_warn("other users can read the class's key '%s': protect it with 'chmod 600'", path);
    return 0;
}
