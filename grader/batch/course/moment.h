// Parses times that a course system wrote for people.
#ifndef BATCH_COURSE_MOMENT_H
#define BATCH_COURSE_MOMENT_H

#include <stdint.h>

// Parses a time such as "Oct 1, 2026 1159 PM", "Friday, 27 November 2026, 5:34 PM", "2026년 11월 27일(금) 오후 5:34" or
// "2026-10-01 2359". The word for the month may be in one of several languages. A date of numbers that does not begin
// with the year is ambiguous. The time is in the course's zone (timestamp.h). Sets *when to the time in seconds since
// 1970. Returns 0, or -1 if the text is no such time.
int moment_parse(const char *text, int64_t *when);

#endif
