// Converts times between text and seconds since 1970. The fields of a time are parsed one by one, because strptime()
// depends on the locale. The function timegm() converts times that have a zone. The function mktime() converts times
// without a zone, in the zone that the environment variable TZ names. TZ is always set, so the time zone of the machine
// that grades has no influence.
#define _GNU_SOURCE
#include "batch/unpack/timestamp.h"
#include "base/message.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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
// Greenwich. Returns 0, or -1 if the text is not UTC or an offset.
static int zone(const char *at, int *east)
{
    int hours, minutes = 0;
    *east = 0;
    if (!strcmp(at, "Z") || !strcmp(at, "UTC") || !strcmp(at, "GMT")) return 0;
    int sign = *at == '-' ? -1 : 1;
    if (skip(&at, "+-") || number(&at, 2, 0, 14, &hours)) return -1;
    if (*at == ':') ++at;
    if (*at && number(&at, 2, 0, 59, &minutes)) return -1;
    *east = sign * (hours * 3600 + minutes * 60);
    return *at ? -1 : 0;
}

// --------------------------------------------------------------------------------------------------- the course's zone
static char variable[96]; // as mktime() and localtime_r() of this and of other programs read it; "": not set yet

static void use_zone(const char *rule)
{
    snprintf(variable, sizeof variable, "TZ=%s", rule);
    setenv("TZ", rule, 1);
    tzset();
}

// Returns 1 if this machine's time zone database has a zone with the name `name` (tzfile(5)).
static int is_zone(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+-/";
    char path[128], magic[4] = "";
    if (!isalpha((unsigned char)*name) || strlen(name) > 64 || name[strspn(name, letters)]) return 0;
    snprintf(path, sizeof path, "/usr/share/zoneinfo/%s", name);
    FILE *f = fopen(path, "r");
    int there = f && fread(magic, sizeof magic, 1, f) && !memcmp(magic, "TZif", sizeof magic);
    if (f) fclose(f);
    return there;
}

int timestamp_set_zone(const char *name)
{
    int east;
    char rule[32];
    if (!zone(name, &east)) { // POSIX counts the offset westwards
        int minutes = (east < 0 ? -east : east) / 60;
        snprintf(rule, sizeof rule, "<%c%02d%02d>%c%d:%02d", east < 0 ? '-' : '+', minutes / 60, minutes % 60,
                 east < 0 ? '+' : '-', minutes / 60, minutes % 60);
        use_zone(east ? rule : "UTC0");
        return 0;
    }
    if (!is_zone(name)) return -1;
    use_zone(name);
    return 0;
}

const char *timestamp_zone_variable(void)
{
    if (!*variable) use_zone("UTC0");
    return variable;
}

// Converts the date and time in `fields`, which are in the course's time zone, to seconds since 1970. Returns 0, or -1
// if the clocks of the zone skip this time when they are set forward.
static int from_fields(const struct tm *fields, int64_t *when)
{
    int answer = -1;
    timestamp_zone_variable();
    for (int summer = 0; summer < 2; ++summer) {
        struct tm t = *fields, back;
        t.tm_isdst = summer;
        time_t seconds = mktime(&t);
        if (!localtime_r(&seconds, &back) || back.tm_year != fields->tm_year || back.tm_mday != fields->tm_mday ||
            back.tm_hour != fields->tm_hour || back.tm_min != fields->tm_min)
            continue;
        if (answer || seconds > *when) *when = seconds;
        answer = 0;
    }
    return answer;
}

int timestamp_parse(const char *at, int64_t *when)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    struct tm t = {.tm_hour = 23, .tm_min = 59, .tm_sec = 59};
    int year, month, east, zoned = 0;
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
        if (t.tm_sec == 60) t.tm_sec = 59; // a leap second
        if (*at == '.')
            for (++at; isdigit((unsigned char)*at);) ++at;
        while (*at == ' ') ++at;
        zoned = *at != '\0';
        if (zoned && zone(at, &east)) return -1;
    }
    t.tm_year = year - 1900;
    t.tm_mon = month - 1;
    if (!zoned) return from_fields(&t, when);
    *when = (int64_t)timegm(&t) - east;
    return 0;
}

void timestamp_print(int64_t when, char text[TIMESTAMP_TEXT])
{
    struct tm t;
    time_t seconds = (time_t)when;
    const char *format =
        strcmp(timestamp_zone_variable(), "TZ=UTC0") ? "%Y-%m-%d %H:%M:%S %z" : "%Y-%m-%d %H:%M:%S UTC";
    if (!localtime_r(&seconds, &t) || !strftime(text, TIMESTAMP_TEXT, format, &t))
        message_print(text, TIMESTAMP_TEXT, "an unknown time");
}

int64_t timestamp_now(void)
{
    return (int64_t)time(NULL);
}
