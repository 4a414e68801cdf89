// Parses the file and folder names that Canvas and Moodle make. The Canvas format follows content_zipper.rb of
// canvas-lms. The Moodle format follows mod/assign, for downloads with and without folders. In a Moodle download with
// folders, a folder's name may also end in "file_".
#define _GNU_SOURCE
#include "batch/names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void put(char *to, size_t size, const char *from, size_t length)
{
    if (length >= size) length = size - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

// Returns a pointer past the decimal digits at `at` and the '_' that follows the digits. Returns NULL if `at` does not
// begin with digits and a '_'.
static const char *digits(const char *at)
{
    const char *end = at + strspn(at, "0123456789");
    return end > at && *end == '_' ? end + 1 : NULL;
}

int names_canvas(const char *part, struct roster_identity *who, int *late, const char **file)
{
    static const char blind_late[] = "LATE_anon_"; // an anonymous download replaces only the name and keeps "LATE"
    int swapped = !strncmp(part, blind_late, strlen(blind_late));
    const char *name = swapped ? part + 5 : part, *end = strchr(name, '_'), *at = end ? end + 1 : NULL, *id, *after;
    if (!end || end == name) return 0;
    *late = swapped || !strncmp(at, "LATE_", 5);
    if (*late && !swapped) at += 5;
    id = at;
    int blind = end - name == 4 && !strncmp(name, "anon", 4); // an anonymous number may contain letters
    at = blind ? strchr(at, '_') : digits(at);
    if (at && blind) ++at;
    after = at ? digits(at) : NULL;
    if (!after || !*after) return 0;
    *who = (struct roster_identity){0};
    put(who->name, sizeof who->name, blind ? id : name, blind ? (size_t)(at - 1 - id) : (size_t)(end - name));
    put(who->id, sizeof who->id, id, (size_t)(at - 1 - id));
    *file = after;
    return 1;
}

int names_moodle(const char *part, struct roster_identity *who, const char **file)
{
    static const char mark[] = "_assignsubmission_file";
    const char *end = strstr(part, mark), *id = end;
    while (id && id > part && isdigit((unsigned char)id[-1])) --id;
    if (!end || id == end || id <= part + 1 || id[-1] != '_') return 0;
    const char *rest = end + strlen(mark);
    if (*rest && *rest != '_') return 0;
    *who = (struct roster_identity){0};
    put(who->name, sizeof who->name, part, (size_t)(id - 1 - part));
    put(who->id, sizeof who->id, id, (size_t)(end - id));
    *file = *rest ? rest + 1 : rest;
    return 1;
}

// Returns the length of the lab's name at the beginning of `text` ("lab3_syncthreads", "lab3", "Lab 3"). Returns 0 if
// `text` does not begin with the lab's name.
static size_t lab_at(const char *text, const struct lab *lab)
{
    const char *number = lab->name + 3; // the number in the lab's name: "3" in "lab3"
    size_t slug = strlen(lab->slug), name = strlen(lab->name), at = 3;
    if (!strncasecmp(text, lab->slug, slug) && !isalnum((unsigned char)text[slug])) return slug;
    if (!strncasecmp(text, lab->name, name) && !isdigit((unsigned char)text[name])) return name;
    if (strncasecmp(text, "lab", 3)) return 0;
    while (text[at] == ' ' || text[at] == '_' || text[at] == '-') ++at;
    size_t n = strlen(number);
    return !strncmp(text + at, number, n) && !isdigit((unsigned char)text[at + n]) ? at + n : 0;
}

int names_file_lab(const char *file, const struct lab *lab)
{
    size_t n = lab_at(file, lab);
    if (n == strlen(lab->slug) && !strcasecmp(file + n, ".cu")) return NAMES_WHOLE;
    if (n) return NAMES_BEGIN;
    // Accepts "alice_lab3.cu". Rejects "main_lab3.cu", because such a file is a host program.
    for (const char *at = file; (at = strpbrk(at, "_-. ")) != NULL;)
        if (lab_at(++at, lab) && strncasecmp(file, "main", 4)) return NAMES_BEGIN;
    return 0;
}

int names_is_lab(const char *part, const struct lab *lab)
{
    static const char apart[] = "_-. ", container[] = "submissions"; // "gh classroom clone" makes "lab3-submissions"
    part += strspn(part, apart);
    size_t n = lab_at(part, lab);
    const char *rest = part + n + strspn(part + n, apart);
    if (n && !strcasecmp(rest, container)) rest += strlen(container);
    return n && !*rest;
}

static int defines(const char *data, size_t bytes, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = data; (at = memmem(at, bytes - (size_t)(at - data), name, n)) != NULL; at += n) {
        int alone = at == data || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        if (alone && at + n < data + bytes && !isalnum((unsigned char)at[n]) && at[n] != '_') return 1;
    }
    return 0;
}

int names_content_lab(const char *data, size_t bytes, const struct lab *lab)
{
    if (!data || !defines(data, bytes, "LAUNCH") || !defines(data, bytes, "__global__")) return 0;
    for (int k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k)
        if (!defines(data, bytes, lab->kernel[k])) return 0;
    return NAMES_CONTENT;
}

void names_author(const char *part, char *author, size_t size)
{
    size_t length = strlen(part), n = 0;
    int removed = 0;
    if (length > 3 && !strcasecmp(part + length - 3, ".cu")) length -= 3;
    static const char *const end[] = {".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst", ".7z"};
    for (size_t i = 0; i < sizeof end / sizeof *end; ++i) {
        size_t m = strlen(end[i]);
        if (length > m && !strncasecmp(part + length - m, end[i], m)) length -= m;
    }
    for (size_t i = 0; i < length && n + 1 < size;) {
        size_t lab = 0;
        int begins = !i || strchr("_-. ", part[i - 1]) != NULL;
        for (int l = 0; begins && lab_all[l] && !lab; ++l) lab = lab_at(part + i, lab_all[l]);
        removed |= lab != 0;
        if (lab)
            i += lab;
        else
            author[n++] = part[i++];
    }
    // Only a lab's name leaves separators behind. Without one, "alice " and "alice" are two students.
    while (removed && n && strchr("_-. ", author[n - 1])) --n;
    author[n] = '\0';
    size_t skip = removed ? strspn(author, "_-. ") : 0;
    memmove(author, author + skip, n + 1 - (skip > n ? n : skip));
}
