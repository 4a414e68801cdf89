// course.json, and the marks that follow from it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "batch/course/mark.h"
#include "batch/export/csv_writer.h"
#include "batch/unpack/csv.h"
#include "batch/unpack/timestamp.h"

static void times(void **state)
{
    int64_t t;
    (void)state;
    assert_int_equal(timestamp_parse("1970-01-01T00:00:00Z", &t), 0);
    assert_int_equal(t, 0);
    assert_int_equal(timestamp_parse("2026-10-01T23:59:00+09:00", &t), 0);
    assert_int_equal(t, 1790866740);
    assert_int_equal(timestamp_parse("2026-10-01 14:59:00.25 UTC", &t), 0);
    assert_int_equal(t, 1790866740);
    assert_int_equal(timestamp_parse("2026-10-01", &t), 0);
    assert_int_equal(t, 1790899199);
    const char *const bad[] = {"", "tomorrow", "2026-13-01", "2026-02-29", "2026-10-01T25:00", "2026-10-01T10:00 CET"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) assert_int_equal(timestamp_parse(bad[i], &t), -1);
    char text[TIMESTAMP_TEXT];
    timestamp_print(1790866740, text);
    assert_string_equal(text, "2026-10-01 14:59:00 UTC");
}

static void refuses(const char *json, const char *begins)
{
    struct course c;
    struct text why = {0};
    assert_int_equal(course_parse(&c, json, strlen(json), &why), -1);
    if (strncmp(why.data, begins, strlen(begins))) fail_msg("'%s' instead of '%s…'", why.data, begins);
    text_free(&why);
    course_free(&c);
}

static void errors_name_the_field(void **state)
{
    (void)state;
    refuses("{", "line 1: ");
    refuses("[]", "the file: ");
    refuses("{\"labs\": {\"lab3\": {\"due\": \"tomorrow\"}}}", "line 1: labs.lab3.due: a time");
    refuses("{\"labs\": {\"lab3\": {\"weigth\": 2}}}", "line 1: labs.lab3.weigth: there is no such field");
    refuses("{\"labs\": {\"lab99\": {}}}", "line 1: labs.lab99: there is no such lab");
    refuses("{\"late\": {\"percent\": 110}}", "line 1: late.percent: a number from 0 to 100");
    refuses("{\"late\": {\"per\": \"0d\"}}", "line 1: late.per: a duration");
    refuses("{\"grace\": 15}", "line 1: grace: a duration");
    refuses("{\"attempts\": \"first\"}", "line 1: attempts: \"best\" or \"last\"");
    refuses("{\"cap\": 2.5}", "line 1: cap: a whole number");
    refuses("{\"extensions\": {\"jane\": {\"lab3\": \"soon\"}}}", "line 1: extensions.jane.lab3: a new due time");
    refuses(
        "{\n\"course\": \"due\",\n\"labs\":\n{\"lab3\": {\"weight\": 1},\n\"lab7\": {\"\\u0064ue\": \"2026-02-29\"}}}",
        "line 5: labs.lab7.due: a time");
    refuses("{\"zone\": \"Mars/Olympus\"}", "line 1: zone: a time zone");
    refuses("{\"zone\": \"../../../etc/passwd\"}", "line 1: zone: a time zone");
    refuses("{\"zone\": \"Europe/Berlin\", \"labs\": {\"lab3\": {\"due\": \"2026-03-29T02:30\"}}}",
            "line 1: labs.lab3.due: a time"); // clocks skip it
    refuses(
        "{\"labs\": {\"lab3\": {\"due\": \"2026-10-05\"}},\n\"extensions\": {\"jane\": {\"lab3\": \"2026-10-04\"}}}",
        "line 2: extensions.jane.lab3: the extension must end after the due date, 2026-10-05 23:59:59 UTC");
    refuses("{\"extensions\": {\"jane\": {\"lab3\": \"2026-10-04\"}}}",
            "line 1: extensions.jane.lab3: there is no due date");
    refuses("{\"course\": \"a\", \"course\": \"b\"}", "line 1: ");
}

static int64_t due_in(const char *zone, const char *due)
{
    struct course c;
    struct text why = {0};
    char json[256];
    snprintf(json, sizeof json, "{\"labs\": {\"lab3\": {\"due\": \"%s\"}}, \"zone\": \"%s\"}", due, zone);
    if (course_parse(&c, json, strlen(json), &why)) fail_msg("%s", why.data);
    int64_t when = course_lab(&c, lab_find("lab3"))->due;
    course_free(&c);
    return when;
}

static void times_are_in_the_course_zone(void **state)
{
    static const struct {
        const char *zone, *due, *utc;
    } of[] = {{"Asia/Seoul", "2026-10-01", "2026-10-01T14:59:59Z"},
              {"+09:00", "2026-10-01T12:00", "2026-10-01T03:00Z"},
              {"-03:30", "2026-10-01T12:00", "2026-10-01T15:30Z"},
              {"Europe/Berlin", "2026-07-01T12:00", "2026-07-01T10:00Z"},
              {"Europe/Berlin", "2026-12-01T12:00", "2026-12-01T11:00Z"},
              {"Europe/Berlin", "2026-10-25T02:30", "2026-10-25T01:30Z"}, // it comes twice: the later one
              {"Europe/Berlin", "2026-10-01T12:00+05:00", "2026-10-01T07:00Z"},
              {"UTC", "2026-10-31", "2026-10-31T23:59:59Z"}};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        int64_t when;
        assert_int_equal(timestamp_parse(of[i].utc, &when), 0);
        assert_int_equal(due_in(of[i].zone, of[i].due), when);
    }
    char text[TIMESTAMP_TEXT];
    due_in("Asia/Seoul", "2026-10-01");
    timestamp_print(1790866740, text);
    assert_string_equal(text, "2026-10-01 23:59:00 +0900");
    timestamp_set_zone("UTC");
}

static void rules_are_inherited(void **state)
{
    static const char json[] = "{\"course\": \"c\", \"cap\": 5, \"late\": {\"percent\": 10}, \"labs\": {\"lab3\": "
                               "{\"due\": \"2026-10-01T00:00Z\", \"cap\": 2, \"canvas\": \"Lab 3 (7)\"}, \"lab7\": {}},"
                               "\"extensions\": {\"JANE\": {\"lab3\": \"2d\"}, \"bob\": {\"*\": \"1h\"}}}";
    struct course c;
    struct text why = {0};
    int64_t extended;
    (void)state;
    assert_int_equal(course_parse(&c, json, sizeof json - 1, &why), 0);
    const struct course_lab *l = course_lab(&c, lab_find("lab3"));
    assert_int_equal(l->cap, 2);
    assert_string_equal(l->canvas, "Lab 3 (7)");
    assert_true(l->late.percent == 10);
    assert_int_equal(course_lab(&c, lab_find("lab7"))->cap, 5);
    assert_int_equal(course_due(&c, l->lab, (const char *const[]){"jane", NULL}, &extended), l->due + 172800);
    assert_int_equal(extended, 172800);
    assert_int_equal(course_due(&c, l->lab, (const char *const[]){"x", "bob", NULL}, &extended), l->due + 3600);
    assert_int_equal(course_due(&c, l->lab, (const char *const[]){"nobody", NULL}, &extended), l->due);
    assert_int_equal(course_due(&c, lab_find("lab7"), (const char *const[]){"jane", NULL}, &extended), 0);
    course_free(&c);
}

static void has(const struct mark *m, const char *what)
{
    if (!m->applied.data || !strstr(m->applied.data, what)) fail_msg("no '%s' in: %s", what, m->applied.data);
}

static void lateness(void **state)
{
    enum { DUE = 1000000, DAY = 86400 };
    struct course_lab l = {.grace = 600, .late = {.percent = 10, .per = DAY, .most = 25, .until = 5 * DAY}};
    struct mark_attempt a = {
        .id = 7, .submitted = DUE + 600, .clock = CLOCK_SYSTEM, .graded = 1, .total = 80, .of = 100};
    static const struct {
        int64_t after;
        double points;
    } at[] = {{-5, 80}, {600, 80}, {601, 70}, {DAY, 70}, {DAY + 1, 60}, {3 * DAY, 55}, {5 * DAY + 1, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof *at; ++i) {
        struct mark m;
        a.submitted = DUE + at[i].after;
        mark_decide(&l, DUE, 0, &a, 1, &m);
        assert_true(m.there && m.attempt == 7);
        if (m.points < at[i].points || m.points > at[i].points) fail_msg("%d: %g", (int)at[i].after, m.points);
        mark_free(&m);
    }
    struct mark m;
    a.submitted = DUE + 3 * DAY;
    a.clock = CLOCK_NONE; // nobody knows when: in time
    mark_decide(&l, DUE, 0, &a, 1, &m);
    assert_true(m.points == 80);
    mark_free(&m);
    a.late = 1; // the course system says so: a period
    mark_decide(&l, DUE, 0, &a, 1, &m);
    assert_true(m.points == 70);
    has(&m, "Late, as the course system says, not by how much: 10 points off");
    mark_free(&m);
    mark_decide(&l, DUE, 3600, &a, 1, &m); // by a due date that is not his
    assert_true(m.points == 80);
    has(&m, "extended by 1 h");
    has(&m, "does not know of the extension");
    mark_free(&m);
    a.late = 2; // it says that it was in time
    a.clock = CLOCK_FILE;
    mark_decide(&l, DUE, 0, &a, 1, &m);
    assert_true(m.points == 80);
    mark_free(&m);
}

static void best_and_last(void **state)
{
    struct course_lab l = {.policy = COURSE_BEST, .late = {.per = 1, .most = 100}};
    struct mark_attempt a[] = {{.id = 1, .graded = 1, .total = 40, .of = 100},
                               {.id = 2, .graded = 1, .total = 90, .of = 100},
                               {.id = 3, .graded = 1, .total = 60, .of = 100}};
    struct mark m;
    (void)state;
    mark_decide(&l, 0, 0, a, 3, &m);
    assert_int_equal(m.attempt, 2);
    has(&m, "The best of 3 attempts counts.");
    mark_free(&m);
    l.policy = COURSE_LAST;
    mark_decide(&l, 0, 0, a, 3, &m);
    assert_int_equal(m.attempt, 3);
    mark_free(&m);
    l.cap = 1;
    mark_decide(&l, 0, 0, a, 3, &m);
    assert_int_equal(m.attempt, 1);
    has(&m, "2 more do not count: the cap is 1 attempts.");
    mark_free(&m);
    l.cap = 0;
    a[2].graded = 0; // the last one could not be graded: an earlier one must not stand in for it
    mark_decide(&l, 0, 0, a, 3, &m);
    assert_false(m.there);
    has(&m, "1 could not be graded yet");
    mark_free(&m);
    l.policy = COURSE_BEST;
    mark_decide(&l, 0, 0, a, 3, &m);
    assert_int_equal(m.attempt, 2);
    mark_free(&m);
    mark_decide(&l, 0, 0, a, 0, &m);
    assert_false(m.there);
    mark_free(&m);
}

static const char *cell(const struct csv *c, uint32_t row, uint32_t column)
{
    assert_true(row < c->count && column < c->row[row].count);
    return c->row[row].cell[column];
}

static void csv_both_ways(void **state)
{
    static const char text[] = "\xef\xbb\xbfname;id\r\n\"Doe; \"\"J\"\"\";7\r\n\r\nx;\r\n";
    struct csv c;
    struct text t = {0};
    (void)state;
    csv_parse(&c, text, sizeof text - 1);
    assert_int_equal(c.count, 3);
    assert_string_equal(cell(&c, 0, 0), "name");
    assert_string_equal(cell(&c, 1, 0), "Doe; \"J\"");
    assert_string_equal(cell(&c, 1, 1), "7");
    assert_string_equal(cell(&c, 2, 1), "");
    arena_free(&c.arena);
    csv_writer_put(&t, "=HYPERLINK(\"x\")");
    csv_writer_put(&t, "a,\"b\"");
    csv_writer_put_number(&t, -1.5, 2);
    csv_writer_end(&t);
    csv_writer_put(&t, "");
    csv_writer_put_own(&t, "    Points Possible");
    assert_string_equal(t.data, "\"'=HYPERLINK(\"\"x\"\")\",\"a,\"\"b\"\"\",-1.50\n\"\",\"    Points Possible\"");
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times),
        cmocka_unit_test(errors_name_the_field),
        cmocka_unit_test(rules_are_inherited),
        cmocka_unit_test(times_are_in_the_course_zone),
        cmocka_unit_test(lateness),
        cmocka_unit_test(best_and_last),
        cmocka_unit_test(csv_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
