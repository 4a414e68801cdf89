// Reads git clones with libgit2. Only commits, trees and blobs in the clone's object database are read. Nothing of the
// clone is checked out or fetched, and no index, hook, filter or other program is used. Nothing that a student wrote
// into a clone's .git/config, .gitattributes or workflow files is therefore executed. The git configuration files of
// the machine and of the user are not read. A git clone is accepted even if its files belong to another user.
#include <git2.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "batch/tree.h"
#include "compile/compile.h"

enum { PATH = 4096 };

static void start(void)
{
    static int started;
    if (started) return;
    started = 1;
    git_libgit2_init();
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
    for (int level = GIT_CONFIG_LEVEL_PROGRAMDATA; level <= GIT_CONFIG_LEVEL_GLOBAL; ++level)
        git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
}

static int fail(struct text *why, const char *path)
{
    const git_error *e = git_error_last();
    text_say(why, "cannot read the clone '%s': %s", path, e && e->message ? e->message : "unknown");
    return -1;
}

struct collecting {
    struct tree *tree;
    git_repository *repository;
    int64_t time;
};

static int take_blob(const char *folder, const git_tree_entry *entry, void *data)
{
    struct collecting *c = data;
    struct tree *t = c->tree;
    char path[PATH];
    git_blob *blob;
    git_filemode_t mode = git_tree_entry_filemode(entry);
    if (mode == GIT_FILEMODE_TREE) return 0;
    if (mode == GIT_FILEMODE_LINK) ++t->links;
    if (++t->entries >= TREE_ENTRIES) return -1;
    if ((mode != GIT_FILEMODE_BLOB && mode != GIT_FILEMODE_BLOB_EXECUTABLE) ||
        snprintf(path, sizeof path, "%s%s", folder, git_tree_entry_name(entry)) >= (int)sizeof path ||
        !tree_wants(path) || git_blob_lookup(&blob, c->repository, git_tree_entry_id(entry)))
        return 0;
    size_t bytes = (size_t)git_blob_rawsize(blob);
    tree_add(t, path, bytes > COMPILE_MOST ? NULL : git_blob_rawcontent(blob), bytes, c->time, 0);
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

int tree_read_clone(struct tree *t, const char *path, int64_t before, int64_t *when, struct text *why)
{
    git_repository *repository;
    git_commit *commit = NULL;
    git_tree *root = NULL;
    *t = (struct tree){0};
    start();
    if (git_repository_open_ext(&repository, path, GIT_REPOSITORY_OPEN_NO_SEARCH, NULL)) return fail(why, path);
    int answer = find_commit(repository, before, &commit);
    if (!answer && git_commit_tree(&root, commit)) answer = -1;
    if (!answer) {
        *when = git_commit_time(commit);
        struct collecting c = {t, repository, *when};
        if (git_tree_walk(root, GIT_TREEWALK_PRE, take_blob, &c)) answer = -1;
    }
    if (answer < 0) fail(why, path);
    git_tree_free(root);
    git_commit_free(commit);
    git_repository_free(repository);
    return answer;
}
