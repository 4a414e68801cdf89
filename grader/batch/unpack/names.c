// Parses the file and folder names that Canvas and Moodle make. The Canvas format follows content_zipper.rb of
// canvas-lms. The Moodle format follows mod/assign, for downloads with and without folders. In a Moodle download with
// folders, a folder's name may also end in "file_".
#define _GNU_SOURCE
#include "batch/unpack/names.h"

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

int names_canvas(const char *part, struct identity *who, int *late, const char **file)
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
    *who = (struct identity){0};
    put(who->name, sizeof who->name, blind ? id : name, blind ? (size_t)(at - 1 - id) : (size_t)(end - name));
    put(who->id, sizeof who->id, id, (size_t)(at - 1 - id));
    *file = after;
    return 1;
}

int names_moodle(const char *part, struct identity *who, const char **file)
{
    static const char mark[] = "_assignsubmission_file";
    const char *end = strstr(part, mark), *id = end;
    while (id && id > part && isdigit((unsigned char)id[-1])) --id;
    if (!end || id == end || id <= part + 1 || id[-1] != '_') return 0;
    const char *rest = end + strlen(mark);
    if (*rest && *rest != '_') return 0;
    *who = (struct identity){0};
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
    if (strncmp(text + at, number, n) != 0 || isdigit((unsigned char)text[at + n])) return 0;
    at += n;
    // A repository's name has hyphens: "lab-3-syncthreads-jdoe".
    const char *topic = strchr(lab->slug, '_');
    n = topic ? strlen(topic) : 0;
    int follows = n && text[at] && strchr(" _-", text[at]) && !strncasecmp(text + at + 1, topic + 1, n - 1);
    return follows && !isalnum((unsigned char)text[at + n]) ? at + n : at;
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

// --------------------------------------------------------------------------------------------------- kernels of a text
static int is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Skips blanks, comments and a string at `at`.
static const char *skip_blanks(const char *at, const char *end)
{
    for (;;) {
        while (at < end && isspace((unsigned char)*at)) ++at;
        if (end - at < 2) return at;
        if (!strncmp(at, "//", 2)) {
            while (at < end && *at != '\n') ++at;
        } else if (!strncmp(at, "/*", 2)) {
            const char *close = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
            at = close ? close + 2 : end;
        } else if (*at == '"') {
            for (++at; at < end && *at != '"' && *at != '\n'; ++at) at += *at == '\\' && at + 1 < end;
            at += at < end;
        } else {
            return at;
        }
    }
}

static const char *skip_group(const char *at, const char *end)
{
    int depth = 0;
    for (at = skip_blanks(at, end); at < end; at = skip_blanks(at + 1, end)) {
        depth += (*at == '(') - (*at == ')');
        if (depth <= 0) return at + (*at == ')');
    }
    return end;
}

// Finds the name of the next function that is declared with __global__. The name is the last word before the
// parentheses of the function's parameters; __launch_bounds__ and its parentheses are skipped. Returns the position at
// which the next search must begin, or NULL at the end of the text.
static const char *next_kernel(const char *at, const char *end, const char **name, size_t *length)
{
    int global = 0;
    *length = 0;
    for (at = skip_blanks(at, end); at < end; at = skip_blanks(at, end)) {
        size_t n = 0;
        while (at + n < end && is_letter(at[n])) ++n;
        if (n == 17 && !strncmp(at, "__launch_bounds__", n)) {
            at = skip_group(at + n, end);
            continue;
        }
        if (n == 10 && !strncmp(at, "__global__", n)) global = 1;
        if (n) *name = at, *length = n;
        if (!n && *at == '(' && global && *length) return at;
        if (!n && strchr(";{}", *at)) global = 0;
        at += n ? n : 1;
    }
    return NULL;
}

int names_kernels_of(const struct lab *lab)
{
    int n = 0;
    while (n < LAB_KERNELS && lab->kernel[n]) ++n;
    return n;
}

int names_kernels(const char *data, size_t bytes, const struct lab *lab)
{
    int seen[LAB_KERNELS] = {0}, count = 0;
    const char *name, *end = data + bytes;
    size_t length;
    for (const char *at = data; data && !lab->host && (at = next_kernel(at, end, &name, &length)) != NULL;)
        for (int k = 0; k < names_kernels_of(lab); ++k)
            seen[k] |= strlen(lab->kernel[k]) == length && !memcmp(lab->kernel[k], name, length);
    for (int k = 0; k < LAB_KERNELS; ++k) count += seen[k];
    return count;
}

size_t names_archive_ending(const char *name, size_t length)
{
    static const char *const end[] = {".zip", ".7z",      ".tar",  ".tar.gz",  ".tgz", ".tar.xz",
                                      ".txz", ".tar.bz2", ".tbz2", ".tar.zst", ".tzst"};
    for (size_t i = 0; i < sizeof end / sizeof *end; ++i) {
        size_t m = strlen(end[i]);
        if (length > m && !strncasecmp(name + length - m, end[i], m)) return m;
    }
    return 0;
}

// Returns the length of a file name without the extension of a source or an archive.
static size_t stem(const char *part)
{
    size_t length = strlen(part);
    if (length > 3 && !strcasecmp(part + length - 3, ".cu")) length -= 3;
    return length - names_archive_ending(part, length);
}

// Returns the length of the lab's name that begins at offset `i` of `part`, or 0 if no lab's name or no word begins
// there.
static size_t any_lab_at(const char *part, size_t i)
{
    size_t n = 0;
    int begins = !i || strchr("_-. ", part[i - 1]) != NULL;
    for (int l = 0; begins && lab_all[l] && !n; ++l) n = lab_at(part + i, lab_all[l]);
    return n;
}

int names_around_lab(const char *part, char *before, char *after, size_t size)
{
    size_t length = stem(part), i = 0, n = 0;
    while (i < length && !(n = any_lab_at(part, i))) ++i;
    if (i >= length) return 0;
    size_t begin = i + n + strspn(part + i + n, "_-. ");
    while (i && strchr("_-. ", part[i - 1])) --i;
    put(before, size, part, i);
    put(after, size, part + begin, begin < length ? length - begin : 0);
    return 1;
}

void names_author(const char *part, char *author, size_t size)
{
    size_t length = stem(part), n = 0;
    int removed = 0;
    for (size_t i = 0; i < length && n + 1 < size;) {
        size_t lab = any_lab_at(part, i);
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
