// Makes JSON values that several course systems' result files contain.
#ifndef REPORT_LMS_LMS_VALUE_H
#define REPORT_LMS_LMS_VALUE_H

#include "report/json_value.h"
#include "report/lms/lms.h"
#include "report/report.h"

// Returns a JSON string. The string of lms_text() is the text of a rubric's row, and the string of lms_terminal() is
// the report as a student sees it in a terminal.
static inline json_t *lms_text(const struct lms_row *row)
{
    return string(row->text.data ? row->text.data : "");
}

static inline json_t *lms_terminal(const struct verdict *v)
{
    struct text screen = {0};
    report_terminal(v, &(struct report_options){.utf8 = 1}, &screen);
    json_t *value = string(screen.data ? screen.data : "");
    text_free(&screen);
    return value;
}

#endif
