// Says where in a JSON file a field stands, for messages about a file that a person wrote (course.json, a rubric).
//
// The path of a field has the names of the objects around it, separated by dots: "labs.lab3.due".
#ifndef BATCH_FIELD_H
#define BATCH_FIELD_H

#include "base/text.h"

enum { FIELD_PATH = 256 };
// Writes the path of the field `name` of the object with the path `above` to `path`. The whole file has the path "".
// Long names are cut.
void field_below(char path[FIELD_PATH], const char *above, const char *name);
// Returns the line, from 1, on which the field with this path stands in a valid JSON text, or 0 if there is none.
int field_line(const char *json, size_t bytes, const char *path);
// Appends "line 7: labs.lab3.due: WORDS" to `why`, without the line if the JSON text has no such field.
void field_refuse(const char *json, size_t bytes, const char *path, const char *words, struct text *why);

#endif
