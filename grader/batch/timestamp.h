// Points in time: seconds since 1970 in UTC, as ISO 8601 writes them.
#ifndef BATCH_TIMESTAMP_H
#define BATCH_TIMESTAMP_H

#include <stdint.h>

// "2026-10-01T23:59:00+09:00", "2026-10-01 23:59 UTC", "2026-10-01T14:59Z"; a time without a zone is UTC, a date alone
// is the end of that day. Fractions of a second are dropped. 0; or -1: it is none of these.
int timestamp_parse(const char *text, int64_t *when);
enum { TIMESTAMP_TEXT = 32 };
void timestamp_print(int64_t when, char text[TIMESTAMP_TEXT]); // "2026-10-01 14:59:00 UTC"
int64_t timestamp_now(void);

#endif
