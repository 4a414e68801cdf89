// The class: who there is, and who a submission's names mean.
#ifndef BATCH_ROSTER_H
#define BATCH_ROSTER_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"

// All fields "" when the list does not have them.
struct roster_student {
    const char *key; // names him in the gradebook and in file names: the first there is of sis, login, canvas, email, …
    const char *name, *first, *last;
    const char *canvas, *sis, *login, *email, *section, *participant, *github, *root;
};
struct roster {
    struct arena arena;
    struct roster_student *student;
    uint32_t count;
    uint32_t enrolled;       // of a gradebook's: so many are on the roster, and stand first
    const char **assignment; // Canvas: headers of assignments, "Lab 3 (1234)"
    uint32_t assignments;
};
// Reads a CSV. 0; or -1 with a sentence in why. Free with roster_free in both cases.
int roster_parse(struct roster *, const char *data, size_t bytes, struct text *why);
void roster_free(struct roster *);

// What a submission says of its author; any field may be "".
struct roster_identity {
    char name[256]; // "Jane Doe", "doejane", "jane-doe"
    char id[64];    // a course system's number
    char email[128];
    char sis[64];
};
// The one student whom it means, NULL: none, or more than one could be meant.
const struct roster_student *roster_find(const struct roster *, const struct roster_identity *);
// NULL-terminated: all that a student may be called by.
enum { ROSTER_STUDENT_NAMES = 8 };
void roster_student_names(const struct roster_student *, const char *names[ROSTER_STUDENT_NAMES]);
// 1: both are the same words in any order, whatever their case and punctuation ("Doe, Jane", "jane doe", "doejane").
int roster_same_name(const char *a, const char *b);

#endif
