// See place.h. Calls addr2line with up to CHUNK addresses at once. For each address, addr2line prints the address
// (option -a) and the source lines of the inlined functions, the innermost function first (option -i). For example, for
// an address in an inlined function, addr2line prints the address, a source line of the inlined function, and the
// source line of the call.
//
//   0x0000000000001215
//   /usr/include/thing.h:30
//   /home/me/program.cu:12 (discriminator 2)
//
// A return address is the address of the instruction after the call. The instruction after a call may belong to another
// line than the call, so ask() subtracts one from each return address before addr2line gets the address.
#define _GNU_SOURCE
#include "compile/place.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compile/invocation.h"

enum { CHUNK = 256, WORD = 20, ANSWER_MOST = 4 << 20, WALL_S = 20 };
static const uint64_t MEMORY_MOST = 2ull << 30;

struct lookup {
    const struct program_spec *spec;
    char folder[2][PATH_MAX]; // folders of the kit and the system; their headers are not the user's files
    char source[PROGRAM_FILES][PATH_MAX];
    char here[PATH_MAX];
};

static int lies_in(const char *path, const char *folder)
{
    size_t length = strlen(folder);
    return length && !strncmp(path, folder, length) && path[length] == '/';
}

// Returns the name that the user gave the source file at `path`. Returns NULL if the file at `path` is in the folder of
// the autograder's headers (grader/kit) or in the system's folder /usr.
static const char *shown(const struct lookup *l, const char *path)
{
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (l->spec->files == 1 && !strcmp(name, COMPILE_SOURCE)) return l->spec->file[0];
    for (unsigned i = 0; i < l->spec->files; ++i)
        if (!strcmp(path, l->source[i])) return l->spec->file[i];
    for (unsigned i = 0; i < sizeof l->folder / sizeof *l->folder; ++i)
        if (lies_in(path, l->folder[i])) return NULL;
    return lies_in(path, l->here) ? path + strlen(l->here) + 1 : path;
}

static void name_file(char file[PLACE_FILE], const char *path)
{
    snprintf(file, PLACE_FILE, "%s", path);
    for (; *file; ++file)
        if ((unsigned char)*file < 32 || *file == 127) *file = '?';
}

// Reads "path:12 (discriminator 2)". If the file is the user's, stores the file name and line in *place and returns 1.
// Returns 0 for one of the autograder's own files, for a file of the system, and for a line that addr2line does not
// know.
static int take_line(const struct lookup *l, char *text, struct compile_place *place)
{
    char *colon = strstr(text, " (");
    if (colon) *colon = '\0';
    colon = strrchr(text, ':');
    if (!colon || !isdigit((unsigned char)colon[1])) return 0;
    *colon = '\0';
    const char *file = shown(l, text);
    unsigned long line = strtoul(colon + 1, NULL, 10);
    if (!file || file[0] == '?' || !line || line > INT_MAX) return 0;
    name_file(place->file, file);
    place->line = (uint32_t)line;
    return 1;
}

// Reads the output of addr2line, which has a group of lines for each address, in the order in which the addresses were
// given to addr2line.
static void take_answer(const struct lookup *l, char *answer, uint32_t count, struct compile_place place[])
{
    uint32_t known = 0; // number of addresses read so far
    char *rest = NULL;
    for (char *line = strtok_r(answer, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!strncmp(line, "0x", 2)) {
            if (++known > count) return;
        } else if (known && !place[known - 1].line) {
            take_line(l, line, &place[known - 1]);
        }
    }
}

static void ask(const struct lookup *l, const char *tool, const char *path, const uint64_t address[], uint32_t count,
                struct compile_place place[])
{
    char word[CHUNK][WORD];
    const char *argv[CHUNK + 8] = {tool, "-a", "-i", "-e", path};
    unsigned words = 5;
    for (uint32_t i = 0; i < count; ++i) {
        snprintf(word[i], WORD, "0x%llx", (unsigned long long)address[i] - 1);
        argv[words++] = word[i];
    }
    const char *const readable[] = {path, NULL};
    struct box_spec spec = {.argv = argv,
                            .readable = readable,
                            .output = ANSWER_MOST,
                            .wall_s = WALL_S,
                            .cpu_s = WALL_S,
                            .address_space = MEMORY_MOST,
                            .open = l->spec->open};
    struct text why = {0};
    struct box box;
    if (box_run(&spec, &box, &why)) {
        text_free(&why);
        return;
    }
    if (box.end == BOX_EXITED && !box.code && box.output.data) take_answer(l, box.output.data, count, place);
    box_free(&box);
}

static void find_folder(char folder[PATH_MAX], const char *path)
{
    if (!path || !realpath(path, folder)) folder[0] = '\0';
}

static struct lookup *lookup_new(const struct program_spec *spec)
{
    struct lookup *l = alloc_zeroed(1, sizeof *l);
    l->spec = spec;
    find_folder(l->folder[0], spec->kit);
    find_folder(l->folder[1], "/usr");
    find_folder(l->here, ".");
    for (unsigned i = 0; i < spec->files && i < PROGRAM_FILES; ++i) find_folder(l->source[i], spec->file[i]);
    return l;
}

void compile_places(const char *path, const struct program_spec *spec, const uint64_t address[], uint32_t count,
                    struct compile_place place[])
{
    char tool[COMPILE_PATH];
    memset(place, 0, count * sizeof *place);
    if (!count || !compile_find_tool("addr2line", tool)) return;
    struct lookup *l = lookup_new(spec);
    for (uint32_t at = 0; at < count; at += CHUNK)
        ask(l, tool, path, address + at, count - at < CHUNK ? count - at : CHUNK, place + at);
    free(l);
}

void compile_place_file(const struct program_spec *spec, const char *path, char file[PLACE_FILE])
{
    struct lookup *l = lookup_new(spec);
    const char *name = shown(l, path);
    name_file(file, name ? name : path);
    free(l);
}
