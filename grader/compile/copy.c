// Writes copies of a submission's files for the compiler.
//
// The lab's file is copied to COMPILE_SOURCE. Each header that was handed in with the lab's file is copied to the same
// folder under its own name. The copy of a header begins with a #line directive, which makes the compiler number the
// header's lines as lines of COMPILE_SOURCE, as they are numbered in the bundle (base/bundle.h). Images, findings and
// line tables therefore refer to the one file COMPILE_SOURCE, and need no file name for a line of a header.
//
// A submitted header with the name of one of the autograder's headers (grader/kit) is not copied, so the compiler
// includes the autograder's header.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "compile/invocation.h"

int compile_copy_write(const char *path, const char *text, size_t bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0) return -1;
    size_t done = 0;
    while (done < bytes) {
        ssize_t n = write(fd, text + done, bytes - done);
        if (n < 0 && errno != EINTR) break;
        done += n > 0 ? (size_t)n : 0;
    }
    int open_to_box = !fchmod(fd, 0644); // the directory is closed to other users, so the file's mode may be open
    return close(fd) || done < bytes || !open_to_box ? -1 : 0;
}

static int copy_header(const char *path, const struct bundle_file *f)
{
    struct text text = {0};
    text_printf(&text, "#line %u \"" COMPILE_SOURCE "\"\n", f->before + 1);
    text_add(&text, f->text, f->bytes);
    int failed = compile_copy_write(path, text.data, text.length);
    text_free(&text);
    return failed;
}

int compile_copy_bundle(const char *directory, const char *kit, const char *bundle, size_t bytes,
                        struct compile_copies *made)
{
    char path[PATH_MAX + BUNDLE_NAME], own[PATH_MAX + BUNDLE_NAME];
    struct bundle_file f = {.index = 0};
    int failed = 0;
    made->headers = 0;
    while (!failed && bundle_next(&f, bundle, bytes)) {
        snprintf(path, sizeof path, "%s/%s", directory, *f.name ? f.name : COMPILE_SOURCE);
        snprintf(own, sizeof own, "%s/%s", kit, f.name);
        if (!*f.name) {
            failed = compile_copy_write(path, f.text, f.bytes);
        } else if (access(own, F_OK)) {
            failed = copy_header(path, &f);
            memcpy(made->header[made->headers++], path, sizeof path);
        }
    }
    return failed;
}
