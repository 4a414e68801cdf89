// Decodes the names of files and of members of archives.
#ifndef BATCH_UNPACK_FILENAME_H
#define BATCH_UNPACK_FILENAME_H

#include <stddef.h>
#include <stdint.h>

struct text;

enum { FILENAME_PART = 240 }; // maximum number of bytes of a decoded part of a path

// Lists the encodings that are guessed for a name without a mark.
enum filename_guess { FILENAME_CP949 = 1, FILENAME_CP1252 = 2, FILENAME_CP437 = 4 };
// Holds the rule by which names are decoded, and counts the names that had no mark of their encoding.
struct filename_rule {
    const char *encoding; // encoding of names without a mark, from the option --names; NULL: guess it
    uint32_t guessed;     // number of names whose encoding was guessed
    unsigned guesses;     // set of enum filename_guess: the encodings that were guessed
    uint32_t unknown;     // number of names that are in no encoding
};
// Appends a name to `out` in UTF-8, on one line. The comment at the head of filename.c gives the rules. `dos` is 1 if a
// program for DOS or Windows packed an archive with this name. Different bytes give different names, unless they are
// the same text.
void filename_decode(struct text *out, struct filename_rule *, const char *bytes, size_t length, int dos);
// Returns 1 if iconv() knows the encoding.
int filename_encoding_is_known(const char *encoding);
// Appends one line for people about the names that had no mark of their encoding, if there are any. `path` is the path
// on the command line.
void filename_say(const struct filename_rule *, const char *path, struct text *out);

#endif
