// Writes the last two lines of the grader's output for Autolab. From the last line, {"scores": …}, Autolab takes the
// points of each problem by the problem's name. The problems of an Autolab assessment must have the names of the
// rubric's rows: builds, correct, safe, technique, speed. The line before the last has the feedback, with a stage for
// each row of the rubric ("Formatted feedback" in Autolab's documentation).
#include "report/lms/lms_value.h"

static json_t *stage(const struct verdict *v, const struct lms_row *row, int index)
{
    json_t *stage = json_object(), *test = json_object();
    put(test, "passed", json_boolean(row->met));
    put(test, "hint", lms_text(row));
    put(stage, row->name, test);
    if (index == ROW_SPEED && v->speed.measured) put(stage, "speedup", json_real(v->speed.speedup));
    return stage;
}

void lms_autolab(const struct verdict *v, const struct lms_about *about, struct text *out)
{
    (void)about;
    struct lms_row row[RUBRIC_ROWS];
    json_t *feedback = json_object(), *stages = json_array();
    json_t *root = json_object(), *scores = json_object(), *board = json_array();
    lms_rows(v, row);
    put(feedback, "_presentation", json_string("semantic"));
    for (int i = 0; i < RUBRIC_ROWS; ++i) append(stages, json_string(row[i].name));
    put(feedback, "stages", stages);
    for (int i = 0; i < RUBRIC_ROWS; ++i) {
        put(feedback, row[i].name, stage(v, &row[i], i));
        put(scores, row[i].name, json_integer(row[i].points));
    }
    append(board, json_integer(v->total));
    append(board, json_real(v->speed.measured ? v->speed.speedup : 0));
    put(root, "scores", scores);
    put(root, "scoreboard", board);
    lms_rows_free(row);
    write_json(feedback, JSON_REAL_PRECISION(12), out);
    write_json(root, JSON_REAL_PRECISION(12), out);
}
