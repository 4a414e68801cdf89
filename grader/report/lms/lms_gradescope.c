// Writes Gradescope's results.json ("Output format" in Gradescope's autograder specifications). Each row of the rubric
// is a test in Gradescope, and the points of the tests add up to the score. If the assignment has a leaderboard,
// Gradescope ranks the submissions by speedup, the largest first.
#include "report/lms/lms_value.h"

static json_t *test_of(const struct lms_row *row)
{
    json_t *test = json_object();
    put(test, "name", json_string(row->name));
    put(test, "score", json_integer(row->points));
    put(test, "max_score", json_integer(row->of));
    put(test, "status", json_string(row->met ? "passed" : "failed"));
    put(test, "output", lms_text(row));
    put(test, "output_format", json_string("text"));
    put(test, "visibility", json_string("visible"));
    return test;
}

void lms_gradescope(const struct verdict *v, const struct lms_about *about, struct text *out)
{
    (void)about;
    struct lms_row row[RUBRIC_ROWS];
    json_t *root = json_object(), *tests = json_array(), *extra = json_object(), *board = json_array();
    lms_rows(v, row);
    for (int i = 0; i < RUBRIC_ROWS; ++i) append(tests, test_of(&row[i]));
    put(root, "score", json_integer(v->total));
    put(root, "output", lms_terminal(v));
    put(root, "output_format", json_string("text"));
    put(root, "visibility", json_string("visible"));
    put(root, "stdout_visibility", json_string("hidden"));
    put(root, "tests", tests);
    if (v->speed.measured) {
        json_t *entry = json_object();
        put(entry, "name", json_string("speedup"));
        put(entry, "value", json_real(v->speed.speedup));
        append(board, entry);
        put(root, "leaderboard", board);
    } else {
        json_decref(board);
    }
    put(extra, "lab", json_string(v->job->lab->name));
    put(extra, "passed", json_boolean(v->passed));
    put(extra, "sandbox", json_string(box_level_name(v->sandbox)));
    put(root, "extra_data", extra);
    lms_rows_free(row);
    write_json(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12), out);
}
