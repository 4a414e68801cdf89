// Interprets the values of a recording (engine/recording.h).
#ifndef REPORT_STEP_VALUE_H
#define REPORT_STEP_VALUE_H

#include <stdint.h>

#include "engine/recording.h"

struct text;

// Returns the lowest `bytes` bytes of a value, and the signed number that they are.
uint64_t step_value_low(uint64_t bits, uint32_t bytes);
int64_t step_value_signed(uint64_t bits, uint32_t bytes);
// Returns the float of 2, 4 or 8 bytes. A float of 4 bytes becomes the double that the fewest decimal digits that
// identify the float denote, so that 0.1f becomes 0.1.
double step_value_float(uint64_t bits, uint32_t bytes);
// Appends a value as text. A pointer becomes "&tile[12]" if it points into an array of the recording.
void step_value(const struct recording *, uint64_t bits, uint32_t kind, uint32_t bytes, struct text *out);
// Appends the name of an array's element, such as "tile[3][4]". An element outside of the array has one index.
void step_value_element(const struct recording_array *, int64_t element, struct text *out);

#endif
