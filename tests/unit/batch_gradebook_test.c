// The gradebook: its versions, several writers at the same time, and files that are no gradebook.
#define _GNU_SOURCE
#include <setjmp.h>
#include <sha2.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "batch/book/attempt.h"
#include "batch/book/gradebook.h"
#include "batch/book/seal.h"
#include "batch/book/sql.h"
#include "box/box.h"

static char folder[BOX_PATH], path[BOX_PATH + 16];

static int begin(void **state)
{
    struct text why = {0};
    (void)state;
    if (box_directory_make(folder, &why)) return -1;
    snprintf(path, sizeof path, "%s/book.db", folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    box_directory_remove(folder);
    return 0;
}

// What opening the gradebook ends with: an exit status.
static int status_of_opening(void)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (!child) {
        if (!freopen("/dev/null", "w", stderr)) _exit(99);
        gradebook_open(path, 0);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void run_sql(const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static int64_t ask(struct gradebook *b, const char *sql)
{
    sqlite3_stmt *s = sql_ask(b, "", sql);
    assert_true(sql_row(b, s));
    int64_t value = sql_int(s, 0);
    sqlite3_finalize(s);
    return value;
}

static void an_older_book_is_brought_up_to_date(void **state)
{
    struct text sql = {0};
    (void)state;
    assert_int_equal(text_read_file(&sql, "grader/batch/book/schema.sql", 1 << 20), 0);
    char *next = strstr(sql.data, "\n-- version 2\n");
    assert_non_null(next);
    sql.length = (size_t)(next - sql.data);
    text_puts(&sql, "\nPRAGMA user_version = 1; PRAGMA application_id = 0x57415250;\n");
    text_puts(&sql, "INSERT INTO setting VALUES ('rubric', 'x'); INSERT INTO source VALUES ('h', 1, 'a');"
                    "INSERT INTO run VALUES (7, 'h', 'lab3', 't', 1, 'p', '{}', '', '', '', 0, 0);");
    run_sql(sql.data);
    text_free(&sql);
    assert_int_equal(status_of_opening(), 2); // brought up to date, but nobody has accepted its rows
    struct gradebook *b = gradebook_open_unchecked(path);
    assert_int_equal(ask(b, "PRAGMA user_version"), GRADEBOOK_VERSION);
    assert_int_equal(ask(b, "SELECT count(*) FROM run WHERE id = 7"), 1);
    assert_int_equal(ask(b, "SELECT count(*) FROM measured"), 0);
    seal_accept(b);
    gradebook_close(b);
    b = gradebook_open(path, 0); // and stays as it is
    assert_int_equal(ask(b, "SELECT count(*) FROM setting"), 1);
    gradebook_close(b);
}

static void what_is_no_book_is_refused(void **state)
{
    (void)state;
    assert_int_equal(status_of_opening(), 2); // none there
    run_sql("PRAGMA user_version = 99");
    assert_int_equal(status_of_opening(), 2); // of a later version
    run_sql("PRAGMA user_version = 0; CREATE TABLE song (title TEXT)");
    assert_int_equal(status_of_opening(), 2); // something else's database
    FILE *f = fopen(path, "w");
    fputs("this is a text and no database, long enough to be looked at as one by whoever opens it\n", f);
    fclose(f);
    assert_int_equal(status_of_opening(), 2);
}

// Each child records runs of its own and the same ones as the others.
static void write_runs(int who)
{
    struct gradebook *b = gradebook_open(path, 1);
    struct text ptx = {0}, lines = {0};
    struct attempt attempt;
    struct gradebook_key key = {.tool = "t", .profile = "p", .seed = 1};
    struct gradebook_run run = {.report = "{\"stage\": \"build\", \"cases\": [], \"findings\": [], \"speed\": {}}",
                                .text = "",
                                .html = &ptx,
                                .ptx = &ptx};
    for (int i = 0; i < 20; ++i) {
        char source[2][32];
        struct import_submission h = {
            .key = "s", .name = "s", .lab = lab_find("lab3"), .origin = "folder", .file = "f"};
        snprintf(source[0], sizeof source[0], "%d", i);
        snprintf(source[1], sizeof source[1], "%d of %d", i, who);
        for (int k = 0; k < 2; ++k) {
            struct gradebook_work work = {.lab = "lab3"};
            h.data = source[k];
            h.bytes = strlen(source[k]);
            SHA256Data((const uint8_t *)h.data, h.bytes, work.source);
            gradebook_begin(b);
            attempt_begin(b);
            attempt_put(b, &h, &attempt);
            attempt_settle(b, "f", &lines);
            gradebook_commit(b);
            if (i % 3) gradebook_put_failure(b, &key, &work, "no luck");
            gradebook_put_run(b, &key, &work, &run);
        }
    }
    gradebook_close(b);
}

static void several_may_write(void **state)
{
    enum { WRITERS = 3 };
    struct rubric_file rubric;
    struct text why = {0};
    struct gradebook *b = gradebook_open(path, 1);
    (void)state;
    rubric_parse(&rubric, "", 0, &why);
    gradebook_put_rubric(b, &rubric);
    gradebook_close(b);
    fflush(NULL);
    for (int i = 0; i < WRITERS; ++i) {
        if (fork()) continue;
        write_runs(i);
        _exit(0);
    }
    for (int i = 0, status; i < WRITERS; ++i) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    b = gradebook_open(path, 0);
    assert_int_equal(ask(b, "SELECT count(*) FROM run"), 20 + WRITERS * 20);
    assert_int_equal(ask(b, "SELECT count(*) FROM score"), 20 + WRITERS * 20);
    assert_int_equal(ask(b, "SELECT count(*) FROM attempt"), 20 + WRITERS * 20);
    assert_int_equal(ask(b, "SELECT count(*) FROM failure"), 0);
    sqlite3_stmt *s = sql_ask(b, "", "PRAGMA integrity_check");
    assert_true(sql_row(b, s));
    assert_string_equal(sql_text(s, 0), "ok");
    sqlite3_finalize(s);
    gradebook_close(b);
    rubric_free(&rubric);
}

static void on_a_shared_file_system_it_needs_no_shared_memory(void **state)
{
    (void)state;
    setenv("WARPWISE_SHARED_BOOK", "1", 1);
    struct gradebook *b = gradebook_open(path, 1);
    sqlite3_stmt *s = sql_ask(b, "", "PRAGMA journal_mode");
    assert_true(sql_row(b, s));
    assert_string_equal(sql_text(s, 0), "delete");
    sqlite3_finalize(s);
    gradebook_close(b);
    unsetenv("WARPWISE_SHARED_BOOK");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_older_book_is_brought_up_to_date, begin, end),
        cmocka_unit_test_setup_teardown(what_is_no_book_is_refused, begin, end),
        cmocka_unit_test_setup_teardown(several_may_write, begin, end),
        cmocka_unit_test_setup_teardown(on_a_shared_file_system_it_needs_no_shared_memory, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
