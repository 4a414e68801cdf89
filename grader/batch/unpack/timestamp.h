// Converts between seconds since 1970 in UTC and times as ISO 8601 text, in the course's time zone.
#ifndef BATCH_UNPACK_TIMESTAMP_H
#define BATCH_UNPACK_TIMESTAMP_H

#include <stdint.h>

// Sets the time zone that this process uses for times without a zone. `zone` is "UTC", an offset such as "+09:00", or a
// name such as "Asia/Seoul" that this machine's time zone database knows. The zone before the first call of
// timestamp_set_zone() is "UTC". Returns 0, or -1 if there is no such zone.
int timestamp_set_zone(const char *zone);
// Returns the environment variable "TZ=…" that makes another program use the zone of timestamp_set_zone().
const char *timestamp_zone_variable(void);
// Parses a time such as "2026-10-01T23:59:00+09:00", "2026-10-01 23:59 UTC" or "2026-10-01T23:59". A time without a
// zone is in the zone of timestamp_set_zone(). If a time occurs twice in this zone, because clocks are set back,
// timestamp_parse() takes the later one. A date without a time means the last second of that day. timestamp_parse()
// drops fractions of a second. Sets *when to the time in seconds since 1970. Returns 0, or -1 if the text is not a
// time, or if the clocks of the zone skip this time.
int timestamp_parse(const char *text, int64_t *when);
enum { TIMESTAMP_TEXT = 32 };
// Writes the time `when`, in seconds since 1970, as "2026-10-01 14:59:00 UTC", or "2026-10-01 23:59:00 +0900".
void timestamp_print(int64_t when, char text[TIMESTAMP_TEXT]);
// Returns the present time in seconds since 1970.
int64_t timestamp_now(void);

#endif
