// Finds the line of a field in a JSON file that a person wrote, such as course.json or a rubric, for error messages.
//
// The path of a field consists of the names of the objects around the field and of its own name, separated by dots:
// "labs.lab3.due".
#ifndef BATCH_COURSE_FIELD_H
#define BATCH_COURSE_FIELD_H

#include <stddef.h>

struct text;

enum { FIELD_PATH = 256 };
// Writes the path of the field `name` in the object whose path is `above` to `path`. The outermost object of a JSON
// file has the path "". Long names are cut.
void field_below(char path[FIELD_PATH], const char *above, const char *name);
// Returns the line number, from 1, of the field with the path `path` in a valid JSON text, or 0 if there is no such
// field.
int field_line(const char *json, size_t bytes, const char *path);
// Appends an error message to `why`: the line of the field with the path `path`, this path, and `words`, as in
// "line 7: labs.lab3.due: …". If the JSON text has no such field, the message has no line.
void field_refuse(const char *json, size_t bytes, const char *path, const char *words, struct text *why);

#endif
