// Writes Classroom 50's result.json in format classroom50/result/v1 ("Advanced autograding" in Classroom 50's
// documentation). Classroom 50's own runner adds the owner and the kind of assignment to result.json, and keeps the
// other fields of a test.
#include "report/lms/lms_value.h"

static json_t *test_of(const struct lms_row *row)
{
    json_t *test = json_object();
    put(test, "test-name", json_string(row->name));
    put(test, "passed", json_boolean(row->met));
    put(test, "score", json_integer(row->points));
    put(test, "max-score", json_integer(row->of));
    put(test, "output", lms_text(row));
    return test;
}

void lms_classroom50(const struct verdict *v, const struct lms_about *about, struct text *out)
{
    struct lms_row row[RUBRIC_ROWS];
    json_t *root = json_object(), *tests = json_array();
    lms_rows(v, row);
    for (int i = 0; i < RUBRIC_ROWS; ++i) append(tests, test_of(&row[i]));
    put(root, "schema", json_string("classroom50/result/v1"));
    put(root, "classroom", string(about->classroom));
    put(root, "assignment", string(about->assignment));
    put(root, "submission", string(about->submission));
    put(root, "commit", string(about->commit));
    put(root, "release", string(about->release));
    put(root, "review", string(about->review));
    put(root, "datetime", string(about->when));
    put(root, "score", json_integer(v->total));
    put(root, "max-score", json_integer(lms_most(row)));
    put(root, "tests", tests);
    lms_rows_free(row);
    write_json(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12), out);
}
