// Shows a recorded block (judge/verdict/step.h): as text for a terminal, and as JSON.
#ifndef REPORT_STEP_H
#define REPORT_STEP_H

#include <jansson.h>

#include "judge/verdict/step.h"
#include "report/report.h"

// Appends the walk from one access of the first finding to the other, step by step, and what the variables of the two
// threads are. Without a finding, appends the steps of the first thread.
void report_step(const struct verdict_step *, const struct report_options *, struct text *out);
// Appends the recording as JSON (docs/formats.md) with a line feed. `words` are texts of the page that shows it, an
// object that report_step_json() takes over; NULL: the recording has none.
void report_step_json(const struct verdict_step *, json_t *words, struct text *out);

#endif
