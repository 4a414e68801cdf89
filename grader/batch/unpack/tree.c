// Reads the files of a folder into a tree in memory (tree.h). Each subfolder is opened relative to its parent's
// descriptor (openat() with O_NOFOLLOW). No program can therefore redirect the reader by replacing a folder with a
// link. Files are read with text_read_beneath(), which accepts regular files only.
#define _GNU_SOURCE
#include "batch/unpack/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bundle.h"
#include "base/encoding.h"
#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "batch/unpack/gradescope.h"
#include "batch/unpack/names.h"
#include "batch/unpack/unpack.h"
#include "compile/compile.h"

enum { PATH = 4096, ARCHIVE_MOST = 1 << 30 };

static int ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && !strcasecmp(path + n - m, end);
}

// Returns 1 if the path belongs to a file that an editor, the operating system or the autograder added to a student's
// files. A file counts as added if a part of its path begins with a dot or is __MACOSX.
static int is_hidden(const char *path)
{
    return *path == '.' || strstr(path, "/.") || !strncmp(path, "__MACOSX/", 9) || strstr(path, "/__MACOSX/");
}

int tree_is_archive(const char *path)
{
    return !is_hidden(path) && names_archive_ending(path, strlen(path)) > 0;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int tree_wants(const char *path)
{
    const char *name = name_of(path);
    return !is_hidden(path) && (ends_with(path, ".cu") || !strcmp(name, GRADESCOPE_LIST));
}

// Returns 1 if the file may hold a source under another name: "lab3.cu.txt", "kernel.cpp", "lab3".
static int is_text(const char *path)
{
    static const char *const end[] = {".txt", ".text", ".cpp", ".cc", ".cxx", ".c", ".cuda"};
    const char *name = name_of(path);
    int named = !strchr(name, '.') || strcasestr(name, ".cu") != NULL;
    for (size_t i = 0; i < sizeof end / sizeof *end; ++i) named |= ends_with(name, end[i]);
    return named && !tree_wants(path) && !tree_is_archive(path);
}

int tree_keeps(const char *path)
{
    return tree_wants(path) || (!is_hidden(path) && (bundle_is_header(path) || is_text(path)));
}

int tree_stays_inside(const char *path)
{
    if (!*path || *path == '/') return 0;
    for (const char *at = path; at; at = strchr(at, '/')) {
        if (*at == '/') ++at;
        if (!strncmp(at, "..", 2) && (at[2] == '/' || !at[2])) return 0;
    }
    return 1;
}

void tree_clean(struct text *t, const char *words)
{
    utf8_clean_line(t, words, strlen(words));
    if (!t->data) text_puts(t, "");
}

// Returns an array in the tree's arena with the elements of `old` and room for one more element. The tree's arena keeps
// the array `old` and frees it later.
static void *grow(struct tree *t, const void *old, uint32_t count, size_t size)
{
    // The capacity of the array is always a power of two.
    if (count & (count - 1) || (count && count < 16)) return (void *)(uintptr_t)old;
    void *grown = arena_array(&t->arena, count ? 2 * (size_t)count : 16, size);
    if (count) memcpy(grown, old, count * size);
    return grown;
}

// Copies a file's path for display into the tree's arena, without line ends and other control characters.
static const char *keep_name(struct tree *t, const char *path)
{
    struct text name = {0};
    utf8_clean_line(&name, path, strlen(path));
    const char *kept = arena_strndup(&t->arena, name.data ? name.data : "", name.length);
    text_free(&name);
    return kept;
}

static void leave(struct tree *t, const char *path, const char *why)
{
    t->left = grow(t, t->left, t->lefts, sizeof *t->left);
    t->left[t->lefts++] = (struct tree_left){keep_name(t, path), why};
}

void tree_skip(struct tree *t, const char *path)
{
    leave(t, path, NULL);
}

void tree_refuse(struct tree *t, const char *path, const char *format, ...)
{
    struct text why = {0};
    va_list args;
    va_start(args, format);
    text_vsay(&why, format, args);
    va_end(args);
    text_puts(&t->refused, "'");
    utf8_clean_line(&t->refused, path, strlen(path));
    text_printf(&t->refused, "': %s\n", why.data ? why.data : "");
    leave(t, path, arena_strndup(&t->arena, why.data ? why.data : "", why.length));
    text_free(&why);
}

void tree_add(struct tree *t, const char *path, const char *data, size_t bytes, int64_t time, int64_t inside)
{
    struct text source = {0};
    int header = bundle_is_header(path), other = !header && is_text(path);
    if (data && (header || other || ends_with(path, ".cu"))) {
        text_add(&source, data, bytes);
        encoding_to_utf8(&source);
        data = source.data ? source.data : "";
        bytes = source.length;
    }
    struct tree_file f = {.path = keep_name(t, path),
                          .data = data ? arena_strndup(&t->arena, data, bytes) : NULL,
                          .bytes = bytes,
                          .time = time,
                          .inside = inside};
    if (header) {
        t->header = grow(t, t->header, t->headers, sizeof f);
        t->header[t->headers++] = f;
        tree_add_other(t, path);
    } else if (other) {
        t->text = grow(t, t->text, t->texts, sizeof f);
        t->text[t->texts++] = f;
        tree_add_other(t, path);
    } else {
        t->file = grow(t, t->file, t->count, sizeof f);
        t->file[t->count++] = f;
    }
    text_free(&source);
}

void tree_add_other(struct tree *t, const char *path)
{
    if (is_hidden(path)) {
        tree_skip(t, path);
        return;
    }
    t->other = grow(t, t->other, t->others, sizeof *t->other);
    t->other[t->others++] = keep_name(t, path);
}

void tree_add_clone(struct tree *t, const struct tree_clone *clone)
{
    t->clone = grow(t, t->clone, t->clones, sizeof *t->clone);
    t->clone[t->clones++] = (struct tree_clone){arena_strndup(&t->arena, clone->path, strlen(clone->path)),
                                                arena_strndup(&t->arena, clone->name, strlen(clone->name))};
}

void tree_free(struct tree *t)
{
    arena_free(&t->arena);
    hash_map_free(&t->git);
    text_free(&t->refused);
    *t = (struct tree){0};
}

// ----------------------------------------------------------------------------------------------------------- archives
struct unpacking {
    struct tree *tree;
    const char *prefix;
    int depth;
    int64_t time;
};

static void say_refusal(struct tree *t, const char *path, const struct unpack_record *r)
{
    static const char *const words[] = {
        [UNPACK_RATIO] = N_("it unpacks to far more than it is"),
        [UNPACK_DAMAGED] = N_("the archive is damaged here"),
        [UNPACK_CUT_HERE] = N_("the archive ends within this file"),
        [UNPACK_LARGE] = N_("too large"),
        [UNPACK_NESTED] = N_("an archive within an archive within"),
        [UNPACK_LOCKED] = N_("encrypted; a password is needed"),
        [UNPACK_NAMES] = N_("it has one name in the archive's directory and another one before its contents"),
        [UNPACK_NAMELESS] = N_("its name is too long or cannot be read"),
        [UNPACK_ENTRIES] = N_("it has too many entries"),
        [UNPACK_NO_DIRECTORY] = N_("the archive ends early: its directory is missing, so nothing was taken from it; "
                                   "download or pack it again"),
        [UNPACK_FOREIGN] =
            N_("the archive is damaged: the directory at its end is not its own, so nothing was taken from "
               "it; download or pack it again")};
    struct text library = {0}, clean = {0};
    text_add(&library, r->data, r->bytes);
    tree_clean(&clean, library.data ? library.data : "");
    path = *path ? path : _("the archive");
    if (r->number == UNPACK_CUT)
        tree_refuse(t, path, "the archive ends early: what comes after is missing; members that were read: %lld",
                    (long long)r->time);
    else if (r->number == UNPACK_STOPPED)
        tree_refuse(t, path, "what comes after was not read; members that were read: %lld", (long long)r->time);
    else if (r->number < sizeof words / sizeof *words && words[r->number])
        tree_refuse(t, path, "%s", _(words[r->number]));
    else
        tree_refuse(t, path, "it cannot be read: %s", clean.data);
    text_free(&library);
    text_free(&clean);
}

// Returns the length of a path up to the end of the name of a .git folder, if the path leads into such a folder, or 0.
static size_t git_length(const char *path)
{
    const char *git = strncmp(path, ".git/", 5) ? strstr(path, "/.git/") : path;
    return git ? (size_t)(git - path) + (git == path ? 4 : 5) : 0;
}

// Notes a .git folder in an archive. The folder has one line in the ledger, whatever is in it.
static void skip_git(struct tree *t, const char *path, size_t length)
{
    if (hash_map_get(&t->git, path, length) >= 0) return;
    const char *kept = arena_strndup(&t->arena, path, length);
    hash_map_put(&t->git, kept, length, 1);
    tree_skip(t, kept);
}

// Adds a member of an archive to the tree. `full` is the path in the tree, which ends with the member's name `name`.
// The program in the sandbox saw the name as bytes, so tree_keeps() may answer differently here.
static void take_member(struct unpacking *u, const struct unpack_record *r, const char *name, const char *full)
{
    struct tree *t = u->tree;
    int64_t time = u->time ? u->time : r->time;
    int keeps = tree_keeps(name), archive = tree_is_archive(name);
    if (r->kind == UNPACK_FILE && keeps)
        tree_add(t, full, r->number > COMPILE_MOST ? NULL : r->data, (size_t)r->number, time, u->time ? r->time : 0);
    else if (r->kind == UNPACK_ARCHIVE && archive && !u->depth)
        tree_add_archive(t, full, r->data, r->bytes, 1, time);
    else if (r->kind == UNPACK_OTHER && (keeps || archive))
        tree_refuse(t, full, "%s", _("its name is too long or cannot be read"));
    else
        tree_add_other(t, full);
}

// Adds the file or archive that a record of an archive contains to the tree. The path in the tree begins with
// u->prefix, which the importing process chose, so that an archive cannot add files to another submission.
static void take_record(void *data, const struct unpack_record *r)
{
    struct unpacking *u = data;
    struct tree *t = u->tree;
    char full[PATH];
    struct text name = {0};
    filename_decode(&name, &t->names, r->path, r->length, r->dos != 0);
    int n = snprintf(full, sizeof full, "%s%s%s", u->prefix, *u->prefix && name.length ? "/" : "", name.data);
    int member = r->kind <= UNPACK_STRANGE, inside = tree_stays_inside(name.data), strange = member && !inside;
    size_t git = member && inside ? git_length(name.data) : 0;
    t->links += r->kind == UNPACK_LINK && !git;
    t->strange += (r->kind == UNPACK_STRANGE && !git) || strange;
    if (r->kind == UNPACK_END)
        t->bytes += (uint64_t)r->time, t->entries += (uint32_t)r->number;
    else if (r->kind == UNPACK_COUNT)
        text_say(&t->refused, "'%s': %lld of %llu members were read\n", full, (long long)r->time,
                 (unsigned long long)r->number);
    else if (n >= PATH)
        tree_refuse(t, full, "%s", _("its name is too long or cannot be read"));
    else if (r->kind == UNPACK_REFUSED)
        say_refusal(t, full, r);
    else if (git)
        skip_git(t, full, strlen(full) - name.length + git);
    else if (r->kind == UNPACK_LINK || r->kind == UNPACK_STRANGE || strange)
        tree_skip(t, full);
    else if (member)
        take_member(u, r, name.data, full);
    text_free(&name);
}

static uint32_t paths(const struct tree *t)
{
    return t->count + t->headers + t->others + t->lefts;
}

void tree_add_archive(struct tree *t, const char *prefix, const char *data, size_t bytes, int depth, int64_t time)
{
    struct unpacking u = {t, prefix, depth, time};
    struct text why = {0};
    uint32_t before = paths(t);
    if (t->bytes > TREE_BYTES || t->entries > TREE_ENTRIES) {
        tree_refuse(t, *prefix ? prefix : _("the archive"), "too much is unpacked already");
        return;
    }
    struct unpack_request r = {.kind = "archive",
                               .arguments = (const char *const[]){depth ? "1" : "0", NULL},
                               .input = unpack_input(data, bytes),
                               .input_bytes = bytes,
                               .output = 2 * (depth ? TREE_WITHIN_BYTES : TREE_BYTES)};
    if (unpack_run(&r, take_record, &u, &why)) tree_refuse(t, *prefix ? prefix : _("the archive"), "%s", why.data);
    if (paths(t) == before && *prefix) tree_add_other(t, prefix); // an archive without a file
    close(r.input);
    text_free(&why);
}

// ------------------------------------------------------------------------------------------------------------ folders
// Reads a regular file into the tree. `named` is 1 if the command line names this file.
static void take_file(struct tree *t, int folder, const char *name, const char *path, const struct stat *status,
                      int named)
{
    struct text content = {0};
    int archive = tree_is_archive(path);
    if (!archive && !tree_keeps(path)) {
        tree_add_other(t, path);
        return;
    }
    int error = text_read_beneath(&content, folder, name, archive ? ARCHIVE_MOST : COMPILE_MOST);
    t->bytes += content.length;
    int64_t time = (int64_t)status->st_mtim.tv_sec;
    if (archive && !error)
        tree_add_archive(t, path, content.data ? content.data : "", content.length, 0, named ? 0 : time);
    else if (!error)
        tree_add(t, path, content.data ? content.data : "", content.length, time, 0);
    else if (error == EFBIG && !archive)
        tree_add(t, path, NULL, (size_t)status->st_size, time, 0);
    else
        tree_refuse(t, path, "%s", error == EMLINK ? _("it has more than one name (hard links)") : strerror(error));
    text_free(&content);
}

// Holds the path of an entry of a folder, with '/' at the end of a folder's path: decoded, and in the bytes of the file
// system.
struct place {
    char path[PATH], name[PATH];
};

static void walk(struct tree *t, int fd, const struct place *, int depth);

// Finds the place of the entry `name` of a folder. Returns 0, or -1 if the path is too long.
static int find_place(struct tree *t, const struct place *folder, const char *name, struct place *place)
{
    struct text decoded = {0};
    filename_decode(&decoded, &t->names, name, strlen(name), 0);
    int n = snprintf(place->path, sizeof place->path, "%s%s", folder->path, decoded.data);
    int m = snprintf(place->name, sizeof place->name, "%s%s", folder->name, name);
    text_free(&decoded);
    return n >= PATH - 1 || m >= PATH - 1 ? -1 : 0;
}

static void look_at(struct tree *t, int folder, const char *name, const struct place *around, int depth)
{
    struct place place;
    struct stat status;
    if (!strcmp(name, ".") || !strcmp(name, "..")) return;
    if (find_place(t, around, name, &place)) {
        tree_refuse(t, place.path, "%s", _("its name is too long or cannot be read"));
    } else if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW)) {
        tree_refuse(t, place.path, "%s", strerror(errno));
    } else if (S_ISREG(status.st_mode)) {
        take_file(t, folder, name, place.path, &status, 0);
    } else if (S_ISDIR(status.st_mode)) {
        int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        strncat(place.path, "/", 2);
        strncat(place.name, "/", 2);
        if (fd >= 0) walk(t, fd, &place, depth + 1);
        if (fd < 0) tree_refuse(t, place.path, "%s", strerror(errno));
    } else {
        *(S_ISLNK(status.st_mode) ? &t->links : &t->strange) += 1;
        tree_skip(t, place.path);
    }
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

// Reads the folder with the descriptor `fd` into the tree, and closes `fd`. In the tree, the path of `around` precedes
// the names of the folder's entries.
static void walk(struct tree *t, int fd, const struct place *around, int depth)
{
    struct dirent **entry;
    struct stat status;
    if (!fstatat(fd, ".git", &status, AT_SYMLINK_NOFOLLOW) && S_ISDIR(status.st_mode)) {
        tree_add_clone(t, &(struct tree_clone){around->path, around->name});
        close(fd);
        return;
    }
    int n = depth > TREE_DEPTH ? -1 : scandirat(fd, ".", &entry, NULL, by_name);
    if (n < 0)
        tree_refuse(t, around->path, "%s", depth > TREE_DEPTH ? _("too many folders in folders") : strerror(errno));
    for (int i = 0; i < n; ++i) {
        if (++t->entries == TREE_ENTRIES) tree_refuse(t, around->path, "more than %d entries", TREE_ENTRIES);
        if (t->entries < TREE_ENTRIES && t->bytes < TREE_BYTES) look_at(t, fd, entry[i]->d_name, around, depth);
        free(entry[i]);
    }
    if (n >= 0) free(entry);
    close(fd);
}

int tree_is_clone(const char *path)
{
    char git[PATH];
    struct stat status;
    return snprintf(git, sizeof git, "%s/.git", path) < (int)sizeof git && !lstat(git, &status) &&
           S_ISDIR(status.st_mode);
}

// Reads a single file, which the command line names.
static int read_file(struct tree *t, const char *path, const struct stat *status, struct text *why)
{
    char folder[PATH];
    struct text name = {0};
    snprintf(folder, sizeof folder, "%s", path);
    int fd = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) text_say(why, "cannot read '%s': %s", path, strerror(errno));
    if (fd < 0) return -1;
    filename_decode(&name, &t->names, name_of(path), strlen(name_of(path)), 0);
    if (tree_is_archive(name.data)) t->time = (int64_t)status->st_mtim.tv_sec;
    if (t->time || tree_wants(name.data))
        take_file(t, fd, name_of(path), name.data, status, 1);
    else
        text_say(why, "'%s' is neither a folder, nor an archive, nor a CUDA source", path);
    text_free(&name);
    close(fd);
    return why->length ? -1 : 0;
}

int tree_read(struct tree *t, const char *path, struct text *why)
{
    struct stat status;
    if (stat(path, &status)) {
        text_say(why, "cannot read '%s': %s", path, strerror(errno));
        return -1;
    }
    if (!S_ISDIR(status.st_mode)) return read_file(t, path, &status, why);
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) walk(t, fd, &(struct place){"", ""}, 0);
    if (fd < 0) text_say(why, "cannot read '%s': %s", path, strerror(errno));
    return fd < 0 ? -1 : 0;
}

// ------------------------------------------------------------------------------------------------------------ headers
static int lie_together(const char *a, const char *b)
{
    size_t n = (size_t)(name_of(a) - a);
    return n == (size_t)(name_of(b) - b) && !memcmp(a, b, n);
}

void tree_bundle(struct tree *t, const struct tree_file *source,
                 const char *(*own_name)(void *, const struct tree_file *), void *data, struct text *bundle)
{
    char name[BUNDLE_NAME];
    if (!source->data) return;
    text_add(bundle, source->data, source->bytes);
    for (size_t at = 0; bundle_wants(bundle, &at, name);) {
        for (uint32_t i = 0; i < t->headers; ++i) {
            struct tree_file *h = &t->header[i];
            if (!h->data || !lie_together(h->path, source->path)) continue;
            const char *own = own_name ? own_name(data, h) : name_of(h->path);
            if (!own || strcmp(own, name) != 0) continue;
            bundle_add(bundle, name, h->data, h->bytes);
            h->taken = 1;
            break;
        }
    }
}
