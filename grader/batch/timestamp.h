// Converts between seconds since 1970 in UTC and times as ISO 8601 text.
#ifndef BATCH_TIMESTAMP_H
#define BATCH_TIMESTAMP_H

#include <stdint.h>

// Parses a time such as "2026-10-01T23:59:00+09:00", "2026-10-01 23:59 UTC" or "2026-10-01T14:59Z". A time without a
// zone is in UTC. A date without a time means the end of that day. timestamp_parse() drops fractions of a second. Sets
// *when to the time in seconds since 1970. Returns 0, or -1 if the text is not a time.
int timestamp_parse(const char *text, int64_t *when);
enum { TIMESTAMP_TEXT = 32 };
// Writes the time `when`, in seconds since 1970, as "2026-10-01 14:59:00 UTC".
void timestamp_print(int64_t when, char text[TIMESTAMP_TEXT]);
// Returns the present time in seconds since 1970.
int64_t timestamp_now(void);

#endif
