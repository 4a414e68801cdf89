// Names evidence; evidence.h states the contracts.
#define _GNU_SOURCE
#include "batch/import/evidence.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 4096 };

void evidence_name(const char *origin, const char *base, const char *naming, char *name, size_t size)
{
    static const char late[] = "_LATE_";
    snprintf(name, size, "%s%s%s", base ? base : "", base ? "/" : "", naming);
    size_t length = strlen(name);
    if (length && name[length - 1] == '/') name[length - 1] = '\0'; // a clone's path ends with '/'
    char *word = strcmp(origin, "Canvas") ? NULL : strstr(name, late), *slash = strchr(name, '/');
    if (word && (!slash || word < slash)) memmove(word, word + sizeof late - 2, strlen(word + sizeof late - 2) + 1);
}

int64_t evidence_node(const char *root, const char *shown)
{
    char path[PATH];
    struct stat status;
    size_t most = strlen(root);
    if (strlen(shown) >= sizeof path) return 0;
    snprintf(path, sizeof path, "%s", shown);
    while (strlen(path) > most) {
        if (!lstat(path, &status)) return (int64_t)status.st_ino;
        char *slash = strrchr(path, '/');
        if (!slash) break;
        *slash = '\0';
    }
    return 0;
}
