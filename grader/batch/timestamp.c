// Converts times between text and seconds since 1970. The function timegm() converts the fields of a time to seconds
// and ignores the local time zone. The fields of a time are parsed one by one, because strptime() depends on the
// locale.
#define _GNU_SOURCE
#include "batch/timestamp.h"
#include "base/message.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Reads a number of `digits` digits and advances *at past the digits. Returns 0, or -1 if the text is not a number or
// the number is not in the range from `least` to `most`.
static int number(const char **at, int digits, int least, int most, int *value)
{
    int n = 0;
    for (int i = 0; i < digits; ++i) {
        if (!isdigit((unsigned char)(*at)[i])) return -1;
        n = n * 10 + (*at)[i] - '0';
    }
    *at += digits;
    *value = n;
    return n < least || n > most ? -1 : 0;
}

static int skip(const char **at, const char *any)
{
    if (!**at || !strchr(any, **at)) return -1;
    ++*at;
    return 0;
}

// Parses the time zone that follows the time of day in a timestamp. Sets *east to the zone's offset in seconds east of
// Greenwich. Returns 0, or -1 if the text is not a time zone.
static int zone(const char *at, int *east)
{
    int hours, minutes = 0;
    *east = 0;
    while (*at == ' ') ++at;
    if (!*at || !strcmp(at, "Z") || !strcmp(at, "UTC") || !strcmp(at, "GMT")) return 0;
    int sign = *at == '-' ? -1 : 1;
    if (skip(&at, "+-") || number(&at, 2, 0, 14, &hours)) return -1;
    if (*at == ':') ++at;
    if (*at && number(&at, 2, 0, 59, &minutes)) return -1;
    *east = sign * (hours * 3600 + minutes * 60);
    return *at ? -1 : 0;
}

int timestamp_parse(const char *at, int64_t *when)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    struct tm t = {.tm_hour = 23, .tm_min = 59, .tm_sec = 59};
    int year, month, east = 0;
    if (number(&at, 4, 1970, 9999, &year) || skip(&at, "-") || number(&at, 2, 1, 12, &month) || skip(&at, "-") ||
        number(&at, 2, 1, 31, &t.tm_mday))
        return -1;
    int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (t.tm_mday > days[month - 1] + (month == 2 && leap)) return -1;
    if (*at) {
        t.tm_sec = 0;
        if (skip(&at, "T ") || number(&at, 2, 0, 23, &t.tm_hour) || skip(&at, ":") || number(&at, 2, 0, 59, &t.tm_min))
            return -1;
        if (*at == ':' && (skip(&at, ":") || number(&at, 2, 0, 60, &t.tm_sec))) return -1;
        if (*at == '.')
            for (++at; isdigit((unsigned char)*at);) ++at;
        if (zone(at, &east)) return -1;
    }
    t.tm_year = year - 1900;
    t.tm_mon = month - 1;
    *when = (int64_t)timegm(&t) - east;
    return 0;
}

void timestamp_print(int64_t when, char text[TIMESTAMP_TEXT])
{
    struct tm t;
    time_t seconds = (time_t)when;
    if (!gmtime_r(&seconds, &t) || !strftime(text, TIMESTAMP_TEXT, "%Y-%m-%d %H:%M:%S UTC", &t))
        message_print(text, TIMESTAMP_TEXT, "an unknown time");
}

int64_t timestamp_now(void)
{
    return (int64_t)time(NULL);
}
