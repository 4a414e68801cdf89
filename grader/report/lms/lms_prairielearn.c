// Writes PrairieLearn's results.json ("External grading" in PrairieLearn's documentation). The score for PrairieLearn
// is a fraction from 0 to 1. PrairieLearn shows details only if every test has points and max_points. A submission that
// does not compile is marked as gradable, so the submission uses up an attempt in PrairieLearn.
#include "base/text.h"
#include "report/lms/lms_value.h"

static json_t *test_of(const struct lms_row *row)
{
    json_t *test = json_object();
    put(test, "name", json_string(row->name));
    put(test, "points", json_integer(row->points));
    put(test, "max_points", json_integer(row->of));
    put(test, "output", lms_text(row));
    return test;
}

void lms_prairielearn(const struct verdict *v, const struct lms_about *about, struct text *out)
{
    (void)about;
    struct lms_row row[RUBRIC_ROWS];
    struct text message = {0};
    json_t *root = json_object(), *tests = json_array();
    lms_rows(v, row);
    for (int i = 0; i < RUBRIC_ROWS; ++i) append(tests, test_of(&row[i]));
    text_printf(&message, "%s (sandbox: %s)", v->next, box_level_name(v->sandbox));
    put(root, "gradable", json_true());
    put(root, "score", json_real(lms_most(row) ? (double)v->total / lms_most(row) : 0));
    put(root, "message", string(message.data));
    put(root, "output", lms_terminal(v));
    put(root, "tests", tests);
    text_free(&message);
    lms_rows_free(row);
    write_json(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12), out);
}
