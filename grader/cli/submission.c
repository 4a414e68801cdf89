// Finds and reads the submission, which is the file that ./grade must grade, together with the headers in the same
// folder that the file includes (base/bundle.h). Symbolic links are followed only in the path of the folder that
// contains the submission, because the user named this folder. The submission file itself comes from a student and is
// opened without following a link. A missing submission file is the user's mistake (exit code 2). A submission file
// that exists but is not a CUDA source is graded like any submission.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle.h"
#include "base/die.h"
#include "base/encoding.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/cli.h"

static void in_folder(struct cli_submission *s, const char *folder, const struct lab *lab)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/') --length;
    if (snprintf(s->path, sizeof s->path, "%.*s/%s.cu", (int)length, folder, lab->slug) >= (int)sizeof s->path)
        die("the path '%.60s…' is too long", folder);
}

static void explain(const struct cli_submission *s, const struct lab *lab, int error)
{
    const char *shown = s->shown;
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        if (s->own)
            die("there is no '%s': 'make %s' makes it from the template; or name a file: ./grade %s FILE", shown,
                lab->name, lab->name);
        die("there is no file '%s'", shown);
    case ELOOP:
        die("'%s' is a symbolic link: name the file itself", shown);
    case EISDIR:
        die("'%s' is a directory, not a file", shown);
    case EMLINK:
        die("'%s' has more than one name (hard links): copy it", shown);
    case EINVAL:
        die("'%s' is not a regular file", shown);
    default:
        die("cannot read '%s': %s", shown, strerror(error));
    }
}

// Appends to the bundle (the text of a submission and its headers) those headers in the open folder `folder` that the
// bundle's files include. Leaves out a header that cannot be read, and the compiler then reports the missing header.
static void read_headers(struct text *bundle, int folder)
{
    char name[BUNDLE_NAME];
    for (size_t at = 0; bundle_wants(bundle, &at, name);) {
        struct text header = {0};
        if (!text_read_beneath(&header, folder, name, COMPILE_MOST)) {
            encoding_to_utf8(&header);
            bundle_add(bundle, name, header.data ? header.data : "", header.length);
        }
        text_free(&header);
    }
}

static int read_it(struct cli_submission *s)
{
    char folder[sizeof s->path];
    snprintf(folder, sizeof folder, "%s", s->path);
    char *slash = strrchr(folder, '/');
    const char *name = slash ? s->path + (slash - folder) + 1 : s->path;
    if (slash) slash[1] = '\0';
    int fd = open(slash ? folder : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return errno;
    int error = *name ? text_read_beneath(&s->source, fd, name, COMPILE_MOST) : EISDIR;
    if (!error) {
        encoding_to_utf8(&s->source);
        read_headers(&s->source, fd);
    }
    close(fd);
    return error;
}

void cli_submission_read(struct cli_submission *s, const struct cli_paths *p, const struct lab *lab, const char *given)
{
    struct stat status;
    *s = (struct cli_submission){.own = !given};
    if (!given)
        in_folder(s, p->student, lab);
    else if (!stat(given, &status) && S_ISDIR(status.st_mode))
        in_folder(s, given, lab);
    else if (snprintf(s->path, sizeof s->path, "%s", given) >= (int)sizeof s->path)
        die("the path '%.60s…' is too long", given);
    struct text shown = {0};
    utf8_clean_line(&shown, cli_paths_shown(s->path), strlen(cli_paths_shown(s->path)));
    snprintf(s->shown, sizeof s->shown, "%s", shown.data ? shown.data : "");
    text_free(&shown);
    int error = read_it(s);
    s->bytes = s->source.length;
    if (!error) return;
    text_free(&s->source);
    if (error != EFBIG) explain(s, lab, error);
    s->bytes = lstat(s->path, &status) || status.st_size <= COMPILE_MOST ? COMPILE_MOST + 1 : (size_t)status.st_size;
}
