// The class list: reads it, and finds the student that a submission's names mean.
#ifndef BATCH_ROSTER_H
#define BATCH_ROSTER_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

// A student. A field that the list does not have is "".
struct roster_student {
    // Names the student in the gradebook and in file names: the first non-empty one of sis, login, canvas, email and
    // others.
    const char *key;
    const char *name, *first, *last;
    const char *canvas, *sis, *login, *email, *section, *participant, *github, *root;
};
// A class list. The arena owns all strings.
struct roster {
    struct arena arena;
    struct roster_student *student;
    uint32_t count;
    uint32_t enrolled; // in a roster read from a gradebook: the number of students on the class list, who come first
    const char **assignment; // titles of the assignment columns in a roster from Canvas, "Lab 3 (1234)"
    uint32_t assignments;
};
// Parses a class list in CSV. Returns 0, or -1 with a sentence in `why`. Free with roster_free() in both cases.
int roster_parse(struct roster *, const char *data, size_t bytes, struct text *why);
void roster_free(struct roster *);

// What a submission says about its author. Any field may be "".
struct roster_identity {
    char name[256]; // "Jane Doe", "doejane", "jane-doe"
    char id[64];    // the number in the course system
    char email[128];
    char sis[64];
};
// Returns the student that an identity means, or NULL if it means none or more than one.
const struct roster_student *roster_find(const struct roster *, const struct roster_identity *);
enum { ROSTER_STUDENT_NAMES = 8 };
// Writes a NULL-terminated list of all names of a student, some of them "".
void roster_student_names(const struct roster_student *, const char *names[ROSTER_STUDENT_NAMES]);
// Returns 1 if both names have the same words in any order, ignoring case and punctuation. "Doe, Jane", "jane doe" and
// "doejane" are the same name.
int roster_same_name(const char *a, const char *b);

#endif
