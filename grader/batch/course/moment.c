// Parses times that a course system wrote for people: in the words of its language, and with any order of day, month
// and year that is certain. A month by its name, or a year in front, makes the order certain.
#define _GNU_SOURCE
#include "batch/course/moment.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "batch/unpack/timestamp.h"

// Returns the month that a word begins, in one of the languages of course systems, or 0.
static int month_of(const char *word)
{
    static const struct {
        const char *begin;
        int month;
    } of[] = {{"jan", 1},  {"ene", 1},  {"gen", 1},  {"feb", 2},  {"fev", 2},  {"fév", 2},  {"mar", 3},  {"mär", 3},
              {"mrt", 3},  {"maa", 3},  {"apr", 4},  {"abr", 4},  {"avr", 4},  {"may", 5},  {"mai", 5},  {"maj", 5},
              {"mag", 5},  {"mei", 5},  {"jun", 6},  {"juin", 6}, {"giu", 6},  {"juil", 7}, {"jul", 7},  {"lug", 7},
              {"aug", 8},  {"ago", 8},  {"aou", 8},  {"aoû", 8},  {"sep", 9},  {"set", 9},  {"oct", 10}, {"okt", 10},
              {"out", 10}, {"ott", 10}, {"nov", 11}, {"dec", 12}, {"dez", 12}, {"dic", 12}, {"déc", 12}};
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i)
        if (!strncasecmp(word, of[i].begin, strlen(of[i].begin))) return of[i].month;
    return 0;
}

// Holds the words of a time.
struct moment {
    int number[6], digits[6]; // the numbers in their order, and how many digits each has
    int count, month, half;   // `month`: 0: no word names it; `half`: 1 before noon, 2 after noon, 0: 24 hours
};

// Takes one word of a time. Returns 0, or -1 if no time has this word.
static int take_word(struct moment *m, const char *word)
{
    static const char *const other[] = {"m",      "de",     "of",     "at",     "um",     "uhr",    "kl",     "년",
                                        "일",     "年",     "日",     "화",     "수",     "목",     "금",     "토",
                                        "월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일", NULL};
    static const char *const half[2][5] = {{"am", "a", "오전", "午前", NULL}, {"pm", "p", "오후", "午後", NULL}};
    for (int h = 0; h < 2; ++h)
        for (int i = 0; half[h][i]; ++i)
            if (!strcasecmp(word, half[h][i])) return m->half = h + 1, 0;
    for (int i = 0; other[i]; ++i)
        if (!strcasecmp(word, other[i])) return 0;
    if (m->month) return strcmp(word, "월") ? -1 : 0; // a Monday
    if ((!strcmp(word, "월") || !strcmp(word, "月")) && m->count)
        m->month = m->number[--m->count];
    else
        m->month = month_of(word);
    return m->month ? 0 : -1;
}

static int read_moment(const char *text, struct moment *m)
{
    static const char apart[] = " ,.:-()";
    *m = (struct moment){0};
    while (*(text += strspn(text, apart))) {
        char word[24];
        size_t n = strspn(text, "0123456789"), digits = n;
        if (!digits) n = strcspn(text, " ,.:-()0123456789");
        if (n >= sizeof word || m->count == 6) return -1;
        snprintf(word, sizeof word, "%.*s", (int)n, text);
        text += n;
        if (digits) {
            m->digits[m->count] = (int)digits;
            m->number[m->count++] = (int)strtol(word, NULL, 10);
        } else if (take_word(m, word)) {
            return -1;
        }
    }
    return 0;
}

static int parse(const char *text, int64_t *when)
{
    struct moment m;
    char iso[96];
    if (read_moment(text, &m) || m.count < 3) return -1;
    int date = m.month ? 2 : 3, year = m.digits[0] == 4 ? 0 : 1, clocks = m.count - date;
    if (m.digits[year] != 4 || (!m.month && year) || clocks < 1 || clocks > 2) return -1;
    int month = m.month ? m.month : m.number[1], day = m.month ? m.number[!year] : m.number[2];
    const int *clock = m.number + date;
    int hour = clocks == 2 ? clock[0] : clock[0] / 100, minute = clocks == 2 ? clock[1] : clock[0] % 100;
    if (m.half && (hour < 1 || hour > 12)) return -1;
    if (m.half) hour = hour % 12 + 12 * (m.half == 2);
    snprintf(iso, sizeof iso, "%04d-%02d-%02d %02d:%02d", m.number[year], month, day, hour, minute);
    return timestamp_parse(iso, when);
}

int moment_parse(const char *text, int64_t *when)
{
    if (!parse(text, when)) return 0;
    const char *rest = isdigit((unsigned char)*text) ? NULL : strchr(text, ' '); // without the day of the week
    return rest ? parse(rest, when) : -1;
}
