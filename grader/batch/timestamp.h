// Points in time, as seconds since 1970 in UTC, to and from ISO 8601 text.
#ifndef BATCH_TIMESTAMP_H
#define BATCH_TIMESTAMP_H

#include <stdint.h>

// Parses "2026-10-01T23:59:00+09:00", "2026-10-01 23:59 UTC" or "2026-10-01T14:59Z". A time without a zone is UTC. A
// date without a time is the end of that day. Fractions of a second are dropped. Returns 0, or -1 if the text is no
// time.
int timestamp_parse(const char *text, int64_t *when);
enum { TIMESTAMP_TEXT = 32 };
// Writes a time as "2026-10-01 14:59:00 UTC".
void timestamp_print(int64_t when, char text[TIMESTAMP_TEXT]);
// Returns the present time.
int64_t timestamp_now(void);

#endif
