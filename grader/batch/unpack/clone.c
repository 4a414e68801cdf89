// Reads git clones. The .git folder of a student's clone may be an attack. A .git folder may refer to files outside of
// the clone (links, commondir, alternates, a .git file) or name programs that git runs (hooks, filters, configuration).
// The objects in a .git folder may also unpack to enormous sizes. Therefore libgit2 never opens a student's .git
// folder. The importing process copies the object database and the references of a clone into a private folder. The
// copy contains regular files only, and neither a configuration nor references to files outside of the clone. In a
// sandbox (unpack.h), libgit2 opens the copy of a clone as a bare repository without a configuration. The library
// libgit2 checks out no files, fetches nothing, and finds only the objects in the copy.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <git2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/message.h"
#include "base/text.h"
#include "batch/unpack/tree.h"
#include "batch/unpack/unpack.h"
#include "box/box.h"
#include "compile/compile.h"

enum { PATH = 4096, DEPTH = 12, COPY_ENTRIES = 200000, TREE_MOST = 20000 };
static const uint64_t COPY_MOST = UINT64_C(512) << 20, RECORDS_MOST = UINT64_C(256) << 20;

// ------------------------------------------------------------------------------------------------------- the copy
struct copying {
    uint64_t bytes;
    uint32_t entries;
    int failed; // errno of a failed copy
};

static void copy_file(struct copying *c, int from, int to, const char *name)
{
    char buffer[1 << 16];
    struct stat status;
    ssize_t n = 0;
    int in = openat(from, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), out = -1;
    if (in < 0 || fstat(in, &status) || !S_ISREG(status.st_mode)) goto done;
    out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (out < 0) c->failed = errno;
    while (!c->failed && (n = read(in, buffer, sizeof buffer)) > 0) {
        c->bytes += (uint64_t)n;
        if (c->bytes > COPY_MOST) c->failed = EFBIG;
        if (!c->failed && write(out, buffer, (size_t)n) != n) c->failed = errno ? errno : ENOSPC;
    }
    if (n < 0 && !c->failed) c->failed = errno;
    if (out >= 0) fchmod(out, 0644); // the user of the box must read the copy, whatever the umask is
done:
    if (in >= 0) close(in);
    if (out >= 0) close(out);
}

// Copies the regular files below the folder `name`. Pointers to other object databases ("objects/info") are not
// copied.
static void copy_folder(struct copying *c, int from, int to, const char *name, int depth)
{
    int in = openat(from, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = in < 0 ? NULL : fdopendir(in);
    if (!folder) return;
    if (mkdirat(to, name, 0755) && errno != EEXIST) c->failed = errno;
    int out = openat(to, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out >= 0) fchmod(out, 0755);
    for (struct dirent *e; out >= 0 && !c->failed && (e = readdir(folder)) != NULL;) {
        struct stat status;
        if (e->d_name[0] == '.' || (!depth && !strcmp(e->d_name, "info"))) continue;
        if (++c->entries > COPY_ENTRIES) c->failed = EFBIG;
        if (fstatat(in, e->d_name, &status, AT_SYMLINK_NOFOLLOW)) continue;
        if (S_ISREG(status.st_mode)) copy_file(c, in, out, e->d_name);
        if (S_ISDIR(status.st_mode) && depth < DEPTH) copy_folder(c, in, out, e->d_name, depth + 1);
    }
    if (out >= 0) close(out);
    closedir(folder);
}

// Copies the files of a clone that libgit2 needs to the folder `to`. Adds the number of copied bytes to *bytes. Returns
// 0 or an errno value.
static int copy_clone(const char *path, const char *to, uint64_t *bytes)
{
    struct copying c = {0};
    char git[PATH + 8];
    snprintf(git, sizeof git, "%s/.git", path);
    int from = open(git, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int in = open(to, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (from < 0 || in < 0) c.failed = errno;
    static const char *const file[] = {"HEAD", "packed-refs", "shallow"};
    for (size_t i = 0; i < sizeof file / sizeof *file && !c.failed; ++i) copy_file(&c, from, in, file[i]);
    if (!c.failed) copy_folder(&c, from, in, "refs", 0);
    if (!c.failed) copy_folder(&c, from, in, "objects", 0);
    if (from >= 0) close(from);
    if (in >= 0) close(in);
    *bytes += c.bytes;
    return c.failed;
}

// ---------------------------------------------------------------------------------------- the importing process
struct taking {
    struct tree_commit *commit;
    uint32_t count, room;
    struct text *why;
    int failed;
};

static void take(void *data, const struct unpack_record *r)
{
    struct taking *t = data;
    struct tree_commit *c = t->count ? &t->commit[t->count - 1] : NULL;
    if (r->kind == UNPACK_COMMIT && t->count < t->room)
        t->commit[t->count++] = (struct tree_commit){.when = r->time, .missing = r->number != 0};
    else if (c && r->kind == UNPACK_FILE && tree_stays_inside(r->path) && tree_keeps(r->path))
        tree_add(&c->tree, r->path, r->number > COMPILE_MOST ? NULL : r->data, (size_t)r->number, c->when, 0);
    else if (c && r->kind == UNPACK_LINK)
        ++c->tree.links;
    else if (r->kind == UNPACK_REFUSED && !t->failed++)
        text_add(t->why, r->data, r->bytes);
}

int tree_read_clone(struct tree_commit *commit, const char *path, const int64_t *before, uint32_t count,
                    struct text *why)
{
    char directory[BOX_PATH], number[TREE_COMMITS][24];
    const char *argument[TREE_COMMITS + 1] = {NULL};
    struct text reason = {0};
    struct taking t = {.commit = commit, .room = count, .why = &reason};
    for (uint32_t i = 0; i < count; ++i) {
        snprintf(number[i], sizeof number[i], "%lld", (long long)before[i]);
        argument[i] = number[i];
        commit[i] = (struct tree_commit){.missing = 1};
    }
    if (box_directory_make(directory, &reason)) {
        text_say(why, "cannot read the clone '%s': %s", path, reason.data);
        text_free(&reason);
        return -1;
    }
    uint64_t bytes = 0;
    int error = copy_clone(path, directory, &bytes);
    struct unpack_request r = {.kind = "clone",
                               .arguments = argument,
                               .input = -1,
                               .directory = directory,
                               .input_bytes = bytes,
                               .output = RECORDS_MOST};
    if (error)
        text_puts(&reason, error == EFBIG ? _("it holds too much") : strerror(error));
    else if (unpack_run(&r, take, &t, &reason))
        t.failed = 1;
    box_directory_remove(directory);
    if (error || t.failed || t.count != count) {
        struct text clean = {0};
        tree_clean(&clean, reason.data ? reason.data : _("it is damaged"));
        text_say(why, "cannot read the clone '%s': %s", path, clean.data);
        text_free(&clean);
        t.failed = 1;
    }
    text_free(&reason);
    return t.failed ? -1 : 0;
}

// --------------------------------------------------------------------------------------------------------- in the box
struct collecting {
    git_repository *repository;
    git_odb *objects;
    uint32_t entries;
    uint64_t bytes;
};

// Writes a record for one entry of a commit, if the entry is a CUDA source or a link. The size of an object is known
// before the object is unpacked. Returns 0, or -1 if the commit has too many files and folders, or too many bytes of
// sources.
static int take_entry(const char *folder, const git_tree_entry *entry, void *data)
{
    struct collecting *c = data;
    char path[PATH];
    git_blob *blob;
    size_t bytes;
    git_object_t type;
    git_filemode_t mode = git_tree_entry_filemode(entry);
    if (++c->entries >= TREE_MOST || c->bytes > TREE_WITHIN_BYTES) {
        git_error_set_str(GIT_ERROR_TREE, "a commit with too many files or folders");
        return -1;
    }
    if (mode == GIT_FILEMODE_LINK) unpack_put(&(struct unpack_record){.kind = UNPACK_LINK});
    if ((mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE) ||
        snprintf(path, sizeof path, "%s%s", folder, git_tree_entry_name(entry)) >= (int)sizeof path ||
        !tree_keeps(path) || git_odb_read_header(&bytes, &type, c->objects, git_tree_entry_id(entry)))
        return 0;
    struct unpack_record r = {.kind = UNPACK_FILE, .path = path, .number = bytes};
    if (bytes > COMPILE_MOST) {
        unpack_put(&r);
        return 0;
    }
    if (git_blob_lookup(&blob, c->repository, git_tree_entry_id(entry))) return 0;
    r.data = git_blob_rawcontent(blob);
    r.bytes = bytes;
    c->bytes += bytes;
    unpack_put(&r);
    git_blob_free(blob);
    return 0;
}

// Finds the newest commit in the history of HEAD that is not newer than `before` (seconds since 1970; 0: no limit).
// Returns 0, 1 if the history of HEAD contains no commit that is old enough, or -1 if libgit2 reports an error.
static int find_commit(git_repository *repository, int64_t before, git_commit **found)
{
    git_revwalk *walk;
    git_oid id;
    if (git_repository_head_unborn(repository) == 1) return 1;
    if (git_revwalk_new(&walk, repository)) return -1;
    git_revwalk_sorting(walk, GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
    int answer = git_revwalk_push_head(walk) ? -1 : 1;
    while (answer == 1 && !git_revwalk_next(&id, walk)) {
        if (git_commit_lookup(found, repository, &id)) answer = -1;
        if (answer == 1 && (!before || git_commit_time(*found) <= before)) answer = 0;
        if (answer == 1) git_commit_free(*found);
    }
    git_revwalk_free(walk);
    return answer;
}

static int put_commit(git_repository *repository, int64_t before)
{
    git_commit *commit = NULL;
    git_tree *root = NULL;
    struct collecting c = {.repository = repository};
    int answer = find_commit(repository, before, &commit);
    if (answer == 1 && before) answer = find_commit(repository, 0, &commit);
    if (answer < 0) return -1;
    unpack_put(&(struct unpack_record){
        .kind = UNPACK_COMMIT, .time = answer ? 0 : git_commit_time(commit), .number = (uint64_t)answer});
    if (answer) return 0;
    answer = git_commit_tree(&root, commit) || git_repository_odb(&c.objects, repository) ||
             git_tree_walk(root, GIT_TREEWALK_PRE, take_entry, &c);
    git_odb_free(c.objects);
    git_tree_free(root);
    git_commit_free(commit);
    return answer ? -1 : 0;
}

void unpack_clone(char *const *before)
{
    git_repository *repository = NULL;
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    for (int level = GIT_CONFIG_LEVEL_PROGRAMDATA; level <= GIT_CONFIG_LEVEL_GLOBAL; ++level)
        git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
    int failed =
        git_repository_open_ext(&repository, ".", GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE, NULL);
    for (; *before && !failed; ++before) failed = put_commit(repository, strtoll(*before, NULL, 10));
    if (failed) {
        const git_error *e = git_error_last();
        const char *words = e && e->message ? e->message : "unknown";
        unpack_put(&(struct unpack_record){
            .kind = UNPACK_REFUSED, .data = words, .bytes = strlen(words), .number = UNPACK_BROKEN});
    }
    unpack_put(&(struct unpack_record){.kind = UNPACK_END});
    git_repository_free(repository);
}
