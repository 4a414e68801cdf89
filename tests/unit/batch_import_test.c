// Import of submissions: names that course systems give to files, rosters, folders and archives.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <archive.h>
#include <archive_entry.h>
#include <cmocka.h>

#include "base/text.h"
#include "batch/course/moment.h"
#include "batch/import/download.h"
#include "batch/import/import.h"
#include "batch/unpack/gradescope.h"
#include "batch/unpack/names.h"
#include "batch/unpack/timestamp.h"
#include "batch/unpack/tree.h"
#include "batch/unpack/unpack.h"
#include "box/box.h"

static void canvas_names(void **state)
{
    struct identity who;
    const char *file;
    int late;
    (void)state;
    assert_true(names_canvas("doejane_1234_5678_lab3_syncthreads-2.cu", &who, &late, &file));
    assert_string_equal(who.name, "doejane");
    assert_string_equal(who.id, "1234");
    assert_string_equal(file, "lab3_syncthreads-2.cu");
    assert_false(late);
    assert_true(names_canvas("doejane_LATE_1234_5678_work.zip", &who, &late, &file));
    assert_true(late);
    assert_string_equal(file, "work.zip");
    assert_true(names_canvas("anon_aX3q_5678_lab3.cu", &who, &late, &file));
    assert_string_equal(who.id, "aX3q");
    assert_false(late);
    assert_true(names_canvas("LATE_anon_aX3q_5678_lab3.cu", &who, &late, &file));
    assert_string_equal(who.id, "aX3q");
    assert_string_equal(file, "lab3.cu");
    assert_true(late);
    assert_false(names_canvas("lab3_syncthreads.cu", &who, &late, &file));
    assert_false(names_canvas("jane_doe_lab3.cu", &who, &late, &file));
    assert_false(names_canvas("doejane_12_34_", &who, &late, &file));
}

static void moodle_names(void **state)
{
    struct identity who;
    const char *file;
    (void)state;
    assert_true(names_moodle("Jane van Doe_77_assignsubmission_file", &who, &file));
    assert_string_equal(who.name, "Jane van Doe");
    assert_string_equal(who.id, "77");
    assert_string_equal(file, "");
    assert_true(names_moodle("Jane Doe_77_assignsubmission_file_", &who, &file));
    assert_string_equal(file, "");
    assert_true(names_moodle("Jane Doe_77_assignsubmission_file_lab3.cu", &who, &file));
    assert_string_equal(file, "lab3.cu");
    assert_false(names_moodle("Jane Doe_77_assignsubmission_onlinetext", &who, &file));
    assert_false(names_moodle("_77_assignsubmission_file", &who, &file));
}

static void download_names(void **state)
{
    static const struct {
        const char *part, *origin, *name, *title, *file, *when;
    } of[] = {
        {"doejane_LATE_1234_5678_lab3.cu", "Canvas", "doejane", "", "lab3.cu", ""},
        {"Jane Doe_77_assignsubmission_file_lab3.cu", "Moodle", "Jane Doe", "", "lab3.cu", ""},
        {"jane_doe@cs.example.org_3_lab3_4.cu", "Autolab", "jane_doe@cs.example.org", "", "lab3_4.cu", ""},
        {"Lab 3_j_doe_attempt_2026-10-01-23-59-00_my_kernel.cu", "Blackboard", "j_doe", "Lab 3", "my_kernel.cu",
         "2026-10-01 14:59:00"},
        {"lab3_syncthreads_jdoe_attempt_2026-10-01-23-59-00.txt", "Blackboard", "jdoe", "lab3_syncthreads", "",
         "2026-10-01 14:59:00"},
        {"Homework_3_jdoe_attempt_2026-10-01-23-59-00_a.cu", "Blackboard", "jdoe", "Homework_3", "a.cu",
         "2026-10-01 14:59:00"},
        {"jdoe+lab3+2026-10-01 14:58:23.948203 UTC+Zm9v", "nbgrader", "jdoe", "lab3", "", "2026-10-01 14:58:23"},
        {"12345-67890 - Jane Doe - Oct 1, 2026 1159 PM", "Brightspace", "Jane Doe", "", "", "2026-10-01 14:59:00"},
        {"12345-67890 - Jane - Doe - Oct 1, 2026 1205 AM - a - b.cu", "Brightspace", "Jane - Doe", "", "a - b.cu",
         "2026-09-30 15:05:00"},
        {"27236-46025 - 23304308 Doe - 05 March 2026 612 PM", "Brightspace", "23304308 Doe", "", "",
         "2026-03-05 09:12:00"},
        {"12345-67890 - Jane Doe - 1 October, 2026 2359", "Brightspace", "Jane Doe", "", "", "2026-10-01 14:59:00"},
        {"12345-67890 - Jane Doe - 1. Oktober 2026 2359 - a.cu", "Brightspace", "Jane Doe", "", "a.cu",
         "2026-10-01 14:59:00"},
        {"12345-67890 - Jane Doe - 2026-10-01 23.59", "Brightspace", "Jane Doe", "", "", "2026-10-01 14:59:00"},
        {"12345-67890 - 김민준 - 2026년 10월 1일 오후 1159", "Brightspace", "김민준", "", "", "2026-10-01 14:59:00"},
        {"12345-67890 - Jane Doe - 1 de ago. de 2026 905", "Brightspace", "Jane Doe", "", "", "2026-08-01 00:05:00"},
        // a time that is none, or may be one of two, still shows whose it is
        {"12345-67890 - Jane Doe - Oct 41, 2026 1159 PM", "Brightspace", "Jane Doe", "", "", ""},
        {"12345-67890 - Jane Doe - Nox 1, 2026 1159 PM", "Brightspace", "Jane Doe", "", "", ""},
        {"12345-67890 - Jane Doe - 10 1 2026 1159", "Brightspace", "Jane Doe", "", "", ""},
        {"Doe, Jane(jdoe)_Feedback Attachment(s)_lab3.cu", "Sakai", "Doe, Jane", "", "lab3.cu", ""},
        {"Doe, Jane(jdoe)", "Sakai", "Doe, Jane", "", "", ""},
        {"Doe, Jane(jdoe)_Submission attachment(s)_lab3.cu", "Sakai", "Doe, Jane", "", "lab3.cu", ""},
    };
    static const char *const none[] = {"lab3.cu",
                                       "a, b (1)",
                                       "lab3(1)",
                                       "jane@x.org",
                                       "jane@x.org_lab3.cu",
                                       "x_attempt_2026-13-01-23-59-00_a.cu",
                                       "_attempt_2026-10-01-23-59-00_a.cu",
                                       "12345 - Jane Doe - Oct 1, 2026 1159 PM",
                                       "a+b+c",
                                       "a+b"};
    struct download_name d;
    (void)state;
    timestamp_set_zone("Asia/Seoul");
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        int64_t when = 0;
        if (!download_parse(of[i].part, &d)) fail_msg("%s", of[i].part);
        assert_string_equal(d.origin, of[i].origin);
        assert_string_equal(d.who.name, of[i].name);
        assert_string_equal(d.title, of[i].title);
        assert_string_equal(d.file, of[i].file);
        char utc[64];
        snprintf(utc, sizeof utc, "%sZ", of[i].when);
        if (*of[i].when) assert_int_equal(timestamp_parse(utc, &when), 0);
        assert_int_equal(d.when, when);
        int files = !strcmp(d.origin, "Autolab") || !strcmp(d.origin, "Brightspace"); // the others' have the download's
        assert_int_equal(d.clock, when ? CLOCK_SYSTEM : files ? CLOCK_FILE : CLOCK_NONE);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i)
        if (download_parse(none[i], &d) && !d.perhaps) fail_msg("%s: %s", none[i], d.origin);
    timestamp_set_zone("UTC");
}

static void moments(void **state)
{
    static const char *const same[] = {"Friday, 27 November 2026, 5:34 PM",
                                       "Friday, November 27, 2026, 5:34 PM",
                                       "27 November 2026, 17:34",
                                       "vendredi 27 novembre 2026, 17:34",
                                       "viernes, 27 de noviembre de 2026, 17:34",
                                       "Freitag, 27. November 2026, 17:34",
                                       "2026년 11월 27일(금) 오후 5:34",
                                       "2026년 11월 27일 금요일, 오후 05:34",
                                       "2026-11-27 17:34"};
    static const char *const none[] = {"-", "", "yesterday", "27/11/2026 17:34", "Friday, 41 November 2026, 5:34 PM"};
    int64_t right, when;
    (void)state;
    timestamp_parse("2026-11-27 17:34", &right);
    for (size_t i = 0; i < sizeof same / sizeof *same; ++i) {
        if (moment_parse(same[i], &when)) fail_msg("%s", same[i]);
        assert_int_equal(when, right);
    }
    assert_int_equal(moment_parse("mardi 1 décembre 2026, 00:05", &when), 0); // "mar" begins a month, too
    timestamp_parse("2026-12-01 00:05", &right);
    assert_int_equal(when, right);
    assert_int_equal(moment_parse("2026년 11월 30일(월) 오전 9:00", &when), 0);
    for (size_t i = 0; i < sizeof none / sizeof *none; ++i) assert_int_equal(moment_parse(none[i], &when), -1);
}

static void lab_names(void **state)
{
    const struct lab *lab3 = lab_find("lab3");
    char author[64];
    (void)state;
    assert_int_equal(names_file_lab("lab3_syncthreads.cu", lab3), NAMES_WHOLE);
    assert_int_equal(names_file_lab("lab3_syncthreads-1.cu", lab3), NAMES_BEGIN);
    assert_int_equal(names_file_lab("Lab 3.cu", lab3), NAMES_BEGIN);
    assert_int_equal(names_file_lab("alice_lab3.cu", lab3), NAMES_BEGIN);
    assert_int_equal(names_file_lab("main_lab3.cu", lab3), 0);
    assert_int_equal(names_file_lab("lab33.cu", lab3), 0);
    assert_int_equal(names_file_lab("kernel.cu", lab3), 0);
    assert_true(names_is_lab("Lab 3", lab3));
    assert_false(names_is_lab("lab3 work", lab3));
    assert_true(names_is_lab("lab3 ", lab3));
    assert_true(names_is_lab(" Lab 3-", lab3));
    assert_true(names_is_lab("lab3-submissions", lab3));
    assert_false(names_is_lab("lab33 ", lab3));
    static const char *const of[][2] = {{"lab3-alice", "alice"},
                                        {"alice_lab3_syncthreads.cu", "alice"},
                                        {"alice.zip", "alice"},
                                        {"lab3.cu", ""},
                                        {"lab3_syncthreads.cu", ""},
                                        {"jane-doe", "jane-doe"},
                                        {"collabs.tar.gz", "collabs"},
                                        {"", ""},
                                        {"alice ", "alice "},
                                        {"alice - lab3", "alice"},
                                        {"lab3 ", ""},
                                        {"lab-3-syncthreads-jdoe", "jdoe"},
                                        {"lab-3-syncthreadsjdoe", "syncthreadsjdoe"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        names_author(of[i][0], author, sizeof author);
        assert_string_equal(author, of[i][1]);
    }
    const struct lab *lab1 = lab_find("lab1"), *lab2 = lab_find("lab2");
    static const char source[] =
        "extern \"C\" __global__ void __launch_bounds__(W * (8 + 1), 2) // matmul_dynamic(\n"
        "matmul(float *A) { x(1); }\n/* __global__ void matmul_dynamic() {} */\n"
        "__device__ void matmul_dynamic(int n);\n__global__ static void\nmatmul_dynamics(int);";
    assert_int_equal(names_kernels(source, sizeof source - 1, lab1), 1);
    assert_int_equal(names_kernels(source, sizeof source - 1, lab2), 1);
    assert_int_equal(names_kernels(source, sizeof source - 1, lab3), 0);
    assert_int_equal(names_kernels(source, 45, lab1), 0);
    assert_int_equal(names_kernels(NULL, 0, lab1), 0);
    assert_int_equal(names_kernels_of(lab2), 2);
    static const char open[] = "/* __global__ void matmul(", quote[] = "\"__global__ void matmul(";
    assert_int_equal(names_kernels(open, sizeof open - 1, lab1), 0);
    assert_int_equal(names_kernels(quote, sizeof quote - 1, lab1), 0);
}

static void rosters(void **state)
{
    static const char canvas[] = "Student,ID,SIS User ID,SIS Login ID,Section\n"
                                 "\"    Points Possible\",,,,\n"
                                 "\"Doe, Jane\",1234,s1,jdoe,A\n\"Lee, Min Jun\",1235,s2,mjlee,A\n"
                                 "\"Doe, Jon\",1236,s3,jon@example.org,B\n";
    struct roster r;
    struct text why = {0};
    (void)state;
    assert_int_equal(roster_parse(&r, canvas, sizeof canvas - 1, &why), 0);
    assert_int_equal(r.count, 3);
    assert_string_equal(r.student[0].key, "s1");
    assert_ptr_equal(roster_find(&r, &(struct identity){.name = "anyone", .id = "1234"}), &r.student[0]);
    assert_ptr_equal(roster_find(&r, &(struct identity){.name = "doejane"}), &r.student[0]);
    assert_ptr_equal(roster_find(&r, &(struct identity){.name = "Jane Doe"}), &r.student[0]);
    assert_ptr_equal(roster_find(&r, &(struct identity){.name = "MJLEE"}), &r.student[1]);
    assert_ptr_equal(roster_find(&r, &(struct identity){.name = "leeminjun"}), &r.student[1]);
    assert_ptr_equal(roster_find(&r, &(struct identity){.sis = "s3"}), &r.student[2]);
    assert_null(roster_find(&r, &(struct identity){.name = "doe"}));
    assert_null(roster_find(&r, &(struct identity){.name = "Jane Doe", .id = "1235"})); // whose is it?
    assert_ptr_equal(roster_find(&r, &(struct identity){.name = "Jane Doe", .id = "1234"}), &r.student[0]);
    assert_null(roster_find(&r, &(struct identity){.name = "nobody"}));
    roster_free(&r);
    assert_int_equal(roster_parse(&r, "name,id\nA,1\nB,1\n", 17, &why), -1);
    assert_string_equal(why.data, "lines 2 and 3: '1' stands in both");
    roster_free(&r);
    why.length = 0;
    assert_int_equal(roster_parse(&r, "foo,bar\n1,2\n", 12, &why), -1);
    roster_free(&r);
    text_free(&why);
    assert_true(roster_same_name("Doe, Jane", "jane DOE"));
    assert_false(roster_same_name("Doe, Jane", "anedoej"));
    assert_true(roster_same_name("Özil, Mesut", "özilmesut"));
    assert_true(roster_same_name("ŁUKASZ Šimek", "Šimek, Łukasz"));
    assert_true(roster_same_name("김 철수", "철수, 김"));
    assert_false(roster_same_name("Özil, Mesut", "ozilmesut"));
    assert_false(roster_same_name("", ""));
}

// A number and a name in one word are a student's if they agree with one row of the roster.
static void numbers_beside_names(void **state)
{
    static const char list[] = "학번,이름,아이디\n2001,김 민준,mj_kim\n2002,이서연,sylee\n2003,이서연,sy2\n";
    static const struct {
        const char *name;
        int student; // -1: nobody; -2: nobody, because number and name are two students'
    } of[] = {{"2001_김민준", 0},  {"김민준_2001", 0},  {"mj_kim 김민준", 0},   {"김 민준-2001", 0},
              {"2001-김", 0},      {"이서연_2003", 2},  {"이서연", -1},         {"2001_이서연", -1},
              {"2002_김민준", -2}, {"2001_박지성", -1}, {"2001_김민준_v2", -1}, {"2009_김민준", -1}};
    struct roster r;
    struct text why = {0}, keys = {0};
    const struct roster_student *both[2];
    (void)state;
    assert_int_equal(roster_parse(&r, list, sizeof list - 1, &why), 0);
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        struct identity who = {0};
        snprintf(who.name, sizeof who.name, "%s", of[i].name);
        const struct roster_student *expected = of[i].student < 0 ? NULL : &r.student[of[i].student];
        if (roster_find(&r, &who) != expected) fail_msg("%s", of[i].name);
        assert_int_equal(roster_contradiction(&r, &who, both), of[i].student == -2);
    }
    assert_int_equal(roster_namesakes(&r, "이서연", &keys), 2);
    assert_string_equal(keys.data, "2002, 2003");
    assert_string_equal(r.columns, "columns understood: '학번', '이름', '아이디'");
    text_free(&keys);
    roster_free(&r);
    char label[ROSTER_LABEL], squeezed[ROSTER_LABEL];
    roster_label(&(struct identity){.name = "Jane Doe", .id = "12-34", .login = "jdoe"}, label);
    assert_string_equal(label, "Jane Doe_12-34");
    roster_label(&(struct identity){.name = "j@x.org", .email = "j@x.org"}, label);
    assert_string_equal(label, "j@x.org");
    roster_label(&(struct identity){.name = "Jane Doe", .sis = "s1", .id = "12"}, label);
    assert_string_equal(label, "s1");
    roster_squeeze("Team-One: 팀 É", squeezed);
    assert_string_equal(squeezed, "teamone팀é");
}

static void gradescope_list(void **state)
{
    static const char yaml[] =
        "---\nsubmission_1:\n  :submitters:\n  - :name: Jane\n    :sid: '42'\n    :email: j@x.org\n"
        "  - :name: Jon\n    :sid:\n  :created_at: 2026-10-01 12:00:00.5 Z\n"
        "submission_2:\n  :submitters: []\n  :created_at: !ruby/object:ActiveSupport::TimeWithZone\n"
        "    utc: &1 2026-10-01 12:00:00.5 Z\n    time: 2026-10-01 05:00:00.5 Z\n";
    struct gradescope g;
    struct text why = {0};
    (void)state;
    assert_int_equal(gradescope_parse(&g, yaml, sizeof yaml - 1, &why), 0);
    const struct gradescope_submission *s = gradescope_find(&g, "submission_1");
    assert_non_null(s);
    assert_int_equal(s->submitters, 2);
    assert_string_equal(s->submitter[0].sis, "42");
    assert_string_equal(s->submitter[1].name, "Jon");
    assert_int_equal(s->created, 1790856000);
    s = gradescope_find(&g, "submission_2");
    assert_non_null(s);
    assert_int_equal(s->created, 1790856000);
    assert_null(gradescope_find(&g, "submission_3"));
    gradescope_free(&g);
    assert_int_equal(gradescope_parse(&g, "- a\n", 4, &why), -1);
    gradescope_free(&g);
    assert_int_equal(gradescope_parse(&g, "a: [", 4, &why), -1);
    gradescope_free(&g);
    text_free(&why);
}

// ------------------------------------------------------------------------------------------------------------ archives
struct packing {
    struct archive *a;
    char *data;
    size_t size;
};

static void pack_begin(struct packing *p, size_t room)
{
    p->a = archive_write_new();
    p->data = malloc(room);
    archive_write_set_format_pax_restricted(p->a);
    archive_write_add_filter_gzip(p->a);
    archive_write_open_memory(p->a, p->data, room, &p->size);
}

static void pack(struct packing *p, const char *path, int type, const char *link, const char *data, size_t bytes)
{
    struct archive_entry *e = archive_entry_new();
    archive_entry_set_pathname(e, path);
    archive_entry_set_filetype(e, (unsigned)type);
    archive_entry_set_perm(e, 0644);
    archive_entry_set_mtime(e, 1000, 0);
    if (link && type == AE_IFLNK) archive_entry_set_symlink(e, link);
    if (link && type == AE_IFREG) archive_entry_set_hardlink(e, link);
    archive_entry_set_size(e, link ? 0 : (la_int64_t)bytes);
    archive_write_header(p->a, e);
    if (!link && bytes) archive_write_data(p->a, data, bytes);
    archive_entry_free(e);
}

static void unpack(struct packing *p, struct tree *t)
{
    archive_write_close(p->a);
    archive_write_free(p->a);
    *t = (struct tree){0};
    tree_add_archive(t, "", p->data, p->size, 0, 0);
    free(p->data);
}

static void archives_stay_inside(void **state)
{
    struct packing p;
    struct tree t;
    (void)state;
    pack_begin(&p, 1 << 16);
    pack(&p, "./alice/lab3.cu", AE_IFREG, NULL, "kernel", 6);
    pack(&p, "../../etc/lab3.cu", AE_IFREG, NULL, "x", 1);
    pack(&p, "/etc/lab3.cu", AE_IFREG, NULL, "x", 1);
    pack(&p, "a/../../lab3.cu", AE_IFREG, NULL, "x", 1);
    pack(&p, "link/lab3.cu", AE_IFLNK, "/etc/passwd", NULL, 0);
    pack(&p, "hard/lab3.cu", AE_IFREG, "alice/lab3.cu", NULL, 0);
    pack(&p, "pipe/lab3.cu", AE_IFIFO, NULL, NULL, 0);
    pack(&p, "notes.txt", AE_IFREG, NULL, "not wanted", 10);
    unpack(&p, &t);
    assert_int_equal(t.count, 1);
    assert_string_equal(t.file[0].path, "alice/lab3.cu");
    assert_string_equal(t.file[0].data, "kernel");
    assert_int_equal(t.file[0].time, 1000);
    assert_int_equal(t.links, 2);
    assert_true(t.strange >= 3);
    tree_free(&t);
}

static void bombs_end_early(void **state)
{
    enum { LARGE = 64 << 20 };
    char *zeros = calloc(1, LARGE);
    struct packing p;
    struct tree t;
    (void)state;
    pack_begin(&p, 1 << 20);
    pack(&p, "a/lab3.cu", AE_IFREG, NULL, "kernel", 6);
    pack(&p, "a/zeros.bin", AE_IFREG, NULL, zeros, LARGE);
    pack(&p, "a/lab7.cu", AE_IFREG, NULL, "kernel", 6);
    unpack(&p, &t);
    assert_int_equal(t.count, 1);
    assert_true(t.bytes < LARGE / 2);
    assert_non_null(strstr(t.refused.data, "far more than it is"));
    tree_free(&t);
    pack_begin(&p, 1 << 20); // a source that is too large is a submission all the same
    pack(&p, "a/lab3.cu", AE_IFREG, NULL, zeros, 1 << 20);
    unpack(&p, &t);
    assert_int_equal(t.count, 1);
    assert_null(t.file[0].data);
    tree_free(&t);
    free(zeros);
    t = (struct tree){0};
    tree_add_archive(&t, "", "PK\3\4 this is no archive", 22, 0, 0);
    assert_int_equal(t.count, 0);
    assert_non_null(t.refused.data);
    tree_free(&t);
}

// ------------------------------------------------------------------------------------------------------------- folders
struct seen {
    char line[32][256];
    int count;
};

static void see(void *data, const struct import_submission *h)
{
    struct seen *s = data;
    assert_true(s->count < 32);
    snprintf(s->line[s->count++], sizeof s->line[0], "%.60s|%s|%s|%.80s", h->key, h->lab->name, h->origin, h->data);
}

static void put(const char *root, const char *path, const char *text)
{
    char full[1024];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *slash = full + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; ++slash) {
        *slash = '\0';
        mkdir(full, 0777);
        *slash = '/';
    }
    FILE *f = fopen(full, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int by_line(const void *a, const void *b)
{
    return strcmp(a, b);
}

// Takes in a folder; what came of it, sorted, a line each.
static void take(const char *root, struct import *in, struct seen *s)
{
    struct text why = {0};
    static struct course course;
    course_default(&course);
    memset(s, 0, sizeof *s);
    in->course = &course;
    in->labs = lab_all;
    in->take = see;
    in->data = s;
    assert_int_equal(import_path(in, root, &why), 0);
    qsort(s->line, (size_t)s->count, sizeof s->line[0], by_line);
}

static void folders(void **state)
{
    struct text why = {0};
    struct seen s;
    struct import in = {0};
    char root[BOX_PATH], link[BOX_PATH + 32];
    (void)state;
    assert_int_equal(box_directory_make(root, &why), 0);
    put(root, "alice/lab3_syncthreads.cu", "1");
    put(root, "alice/old/lab3.cu", "2");
    put(root, "alice/main_lab3.cu", "3");
    put(root, "bob/lab7/kernel.cu", "4");
    put(root, ".template/lab3_syncthreads.cu", "hidden");
    put(root, "bob/.old/lab4.cu", "hidden");
    put(root, "__MACOSX/bob/lab4.cu", "hidden");
    put(root, "lab3/carol.cu", "5");
    put(root, "lab3/dave.cu", "6");
    put(root, "eve/unknown.cu", "7");
    put(root, "doejane_1_2_lab3.cu", "8");
    put(root, "doejane_1_3_lab7.cu", "9");
    put(root, "Jon Roe_5_assignsubmission_file/sub/lab3.cu", "10");
    put(root, "Jon Roe_5_assignsubmission_file_lab4.cu", "11");
    snprintf(link, sizeof link, "%s/mallory/lab3.cu", root);
    put(root, "mallory/x", "");
    put(root, "alice/notes.txt", "beside a source");
    put(root, "frank/lab3.pdf", "his work, as a picture");
    put(root, "frank/lab4.pdf", "");
    put(root, "grace/main_lab3.cu", "not what was asked for");
    put(root, "roejon_7_8_lab3.txt", "");
    put(root, "README.txt", "nobody's");
    assert_int_equal(symlink("/etc/passwd", link), 0);
    take(root, &in, &s);
    static const char *const expected[] = {
        "Jon Roe-5|lab3|Moodle|10", "Jon Roe-5|lab4|Moodle|11", "alice|lab3|folder|1",     "bob|lab7|folder|4",
        "carol|lab3|folder|5",      "dave|lab3|folder|6",       "doejane-1|lab3|Canvas|8", "doejane-1|lab7|Canvas|9"};
    for (int i = 0; i < 8; ++i) assert_string_equal(s.line[i], expected[i]);
    assert_int_equal(s.count, 8);
    assert_int_equal(in.unplaced, 1);
    assert_int_equal(in.links, 1);
    assert_non_null(strstr(in.notes.data, "eve/unknown.cu"));
    assert_non_null(strstr(in.notes.data, "alice/old/lab3.cu"));
    assert_int_equal(in.sourceless, 4);
    assert_non_null(strstr(in.notes.data, "no CUDA source (.cu) from 'frank': "));
    assert_non_null(strstr(in.notes.data, "no CUDA source (.cu) from 'grace': "));
    assert_non_null(strstr(in.notes.data, "no CUDA source (.cu) from 'mallory': "));
    assert_non_null(strstr(in.notes.data, "no CUDA source (.cu) from 'roejon': "));
    import_free(&in);
    box_directory_remove(root);
}

// A folder around everything is nobody, if each source in it has an author of its own.
static void one_folder_around_files(void **state)
{
    struct text why = {0};
    struct seen s;
    char root[BOX_PATH];
    (void)state;
    for (int own = 0; own < 2; ++own) {
        struct import in = {0};
        assert_int_equal(box_directory_make(root, &why), 0);
        put(root, "hw3/alice_lab3.cu", "1");
        put(root, own ? "hw3/lab3.cu" : "hw3/bob_lab3.cu", "2");
        put(root, "hw3/main_lab3.cu", "3");
        take(root, &in, &s);
        assert_int_equal(s.count, own ? 1 : 2);
        assert_string_equal(s.line[0], own ? "hw3|lab3|folder|2" : "alice|lab3|folder|1");
        if (!own) assert_string_equal(s.line[1], "bob|lab3|folder|2");
        import_free(&in);
        box_directory_remove(root);
    }
}

static void unmatched_are_listed(void **state)
{
    static const char list[] = "name,id\nAlice Ames,1\nBob Bell,2\n";
    struct text why = {0};
    struct roster roster;
    struct seen s;
    char root[BOX_PATH];
    (void)state;
    assert_int_equal(roster_parse(&roster, list, sizeof list - 1, &why), 0);
    assert_int_equal(box_directory_make(root, &why), 0);
    put(root, "alice_ames/lab3.cu", "1");
    put(root, "mallory/lab3.cu", "2");
    struct import in = {.roster = &roster};
    take(root, &in, &s);
    assert_int_equal(s.count, 2);
    assert_string_equal(s.line[0], "1|lab3|folder|1");
    assert_string_equal(s.line[1], "?mallory|lab3|folder|2");
    assert_int_equal(in.unmatched, 1);
    assert_non_null(strstr(in.notes.data, "not on the roster: 'mallory'"));
    import_free(&in);
    roster_free(&roster);
    box_directory_remove(root);
}

static void gradescope_folders(void **state)
{
    struct text why = {0};
    struct seen s;
    struct import in = {0};
    char root[BOX_PATH];
    (void)state;
    assert_int_equal(box_directory_make(root, &why), 0);
    put(root, "export/submission_metadata.yml",
        "submission_9:\n  :submitters:\n  - :name: Jane\n    :sid: s1\n  - :name: Jon\n    :sid: s2\n"
        "  :created_at: 2026-10-01 12:00:00 Z\n");
    put(root, "export/submission_9/lab3.cu", "1");
    take(root, &in, &s);
    assert_int_equal(s.count, 2);
    assert_string_equal(s.line[0], "s1|lab3|Gradescope|1");
    assert_string_equal(s.line[1], "s2|lab3|Gradescope|1");
    import_free(&in);
    box_directory_remove(root);
}

// The outermost part of a path names the author, whatever lies below it.
static void the_outermost_part_counts(void **state)
{
    static const struct {
        const char *path, *expected;
    } of[] = {
        {"mallory/alice_1_2_lab3.cu", "mallory|lab3|folder|x"},
        {"mallory/lab3/alice_1_2_kernel.cu", "mallory|lab3|folder|x"},
        {"mallory/Alice_1_assignsubmission_file_/lab3.cu", "mallory|lab3|folder|x"},
        {"mallory_5_6_work/Alice_1_assignsubmission_file_/lab3.cu", "mallory-5|lab3|Canvas|x"},
        {"lab3 /mallory/alice/lab3.cu", "mallory|lab3|folder|x"},
        {"lab3-submissions/lab3-mallory/alice/lab3.cu", "mallory|lab3|folder|x"},
        {"lab3/alice_1_2_kernel.cu", "alice-1|lab3|Canvas|x"},
    };
    struct text why = {0};
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        struct seen s;
        struct import in = {0};
        char root[BOX_PATH];
        assert_int_equal(box_directory_make(root, &why), 0);
        put(root, of[i].path, "x");
        put(root, "zoe/lab3.cu", "z");
        take(root, &in, &s);
        assert_int_equal(s.count, 2);
        assert_string_equal(s.line[0], of[i].expected);
        assert_string_equal(s.line[1], "zoe|lab3|folder|z");
        import_free(&in);
        box_directory_remove(root);
    }
}

// A source is taken with the headers that it includes, if they are of the same author and lie in the same folder.
static void headers_come_with_their_source(void **state)
{
    static const char includes[] = "#include \"a.h\"";
    struct text why = {0};
    struct seen s;
    struct import in = {0};
    char root[BOX_PATH];
    (void)state;
    assert_int_equal(box_directory_make(root, &why), 0);
    put(root, "alice/lab3.cu", includes);
    put(root, "alice/a.h", "A");
    put(root, "bob/lab3.cu", includes);
    put(root, "bob/old/a.h", "another folder's");
    put(root, "doejane_1_2_lab3.cu", includes);
    put(root, "doejane_1_3_a.h", "B");
    put(root, "roejon_4_5_lab3.cu", includes);
    take(root, &in, &s);
    static const char *const expected[] = {
        "alice|lab3|folder|#include \"a.h\"\n#line 1 \"a.h\" // handed in beside the lab's file\nA",
        "bob|lab3|folder|#include \"a.h\"",
        "doejane-1|lab3|Canvas|#include \"a.h\"\n#line 1 \"a.h\" // handed in beside the lab's file\nB",
        "roejon-4|lab3|Canvas|#include \"a.h\""};
    assert_int_equal(s.count, 4);
    for (int i = 0; i < 4; ++i) assert_string_equal(s.line[i], expected[i]);
    assert_int_equal(in.sourceless, 0);
    import_free(&in);
    box_directory_remove(root);
}

int main(int argc, char **argv)
{
    unpack_serve(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(canvas_names),
        cmocka_unit_test(moodle_names),
        cmocka_unit_test(download_names),
        cmocka_unit_test(moments),
        cmocka_unit_test(lab_names),
        cmocka_unit_test(rosters),
        cmocka_unit_test(numbers_beside_names),
        cmocka_unit_test(gradescope_list),
        cmocka_unit_test(archives_stay_inside),
        cmocka_unit_test(bombs_end_early),
        cmocka_unit_test(folders),
        cmocka_unit_test(one_folder_around_files),
        cmocka_unit_test(unmatched_are_listed),
        cmocka_unit_test(gradescope_folders),
        cmocka_unit_test(the_outermost_part_counts),
        cmocka_unit_test(headers_come_with_their_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
