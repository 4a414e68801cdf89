// A finding: a defect of the student's kernel that an engine saw. Findings are data, never errors of the grader. They
// have a fixed layout without pointers, because they cross the border between runner and judge.
#ifndef ENGINE_FINDING_H
#define ENGINE_FINDING_H

#include <stdint.h>

enum {
    FINDING_SYMBOL = 40, // bytes of a variable's name, NUL included
    FINDING_WAITS = 4,   // groups of threads that a deadlock names
};

enum finding_kind {
#define FINDING(id, word, severity, hint) FINDING_##id,
#include "engine/finding.def"
#undef FINDING
    FINDING_KINDS
};
// A row of finding.def. A FINDING_DEFECT costs the points for safety; a FINDING_NOTE costs nothing.
enum finding_severity { FINDING_NOTE, FINDING_DEFECT };
struct finding_info {
    const char *id, *word, *hint;
    enum finding_severity severity;
};
extern const struct finding_info finding_info[FINDING_KINDS];

enum memory_space {
    SPACE_NONE,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
    SPACE_REGISTER,
    SPACES
};
enum access_kind { ACCESS_NONE, ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC, ACCESS_KINDS };

// A file is an index, never a path, so that a runner cannot make the judge open files.
enum finding_file { FILE_STUDENT, FILE_KIT, FILE_OTHER, FINDING_FILES };

// A place in the source, and the thread that executed it.
struct finding_place {
    uint8_t file;    // enum finding_file
    uint8_t access;  // enum access_kind
    uint16_t column; // from 1; 0: unknown
    uint32_t line;   // from 1; 0: unknown
    uint32_t path;   // number of the file in the image's list; used only inside the runner
    uint32_t block[3], thread[3];
};

// The threads with numbers `low` to `high` in a block wait at a line (0: unknown).
struct finding_wait {
    uint32_t low, high, line;
};

// A defect of the student's kernel: data, never an error of ours.
struct finding {
    uint16_t kind;       // enum finding_kind
    uint8_t space;       // enum memory_space
    uint8_t second;      // 1: `other` is valid; it is the other access of a race, or the other barrier
    uint8_t unoptimised; // 1: seen in the unoptimised image
    // The next four concern races only.
    uint8_t epoch;  // 1: both accesses are in one block, between the barriers of the lines `after` and `before`
    uint8_t warp;   // 1: both accesses were in one warp, every time
    uint8_t fence;  // 1: a fence before the atomic or flag that follows the first access would order both
    uint8_t strong; // 1: both accesses were volatile
    struct finding_place at, other;
    uint32_t after, before;      // lines of the last barrier before both accesses and of the next one; 0: none
    int32_t buffer;              // engine buffer accessed, or -1
    uint32_t size;               // bytes of the element accessed
    int64_t offset;              // bytes from the start of the buffer or symbol; negative: before the start
    uint64_t extent;             // bytes of the buffer or symbol
    uint64_t value;              // by kind: lanes of a bad mask, lanes missing at a barrier, or the budget spent
    uint64_t count;              // occurrences in the launch
    char symbol[FINDING_SYMBOL]; // shared/local/device variable's name, demangled; NUL-terminated; may be empty
    uint32_t waits;              // valid elements of `wait`
    struct finding_wait wait[FINDING_WAITS]; // a deadlock's waiting threads, in ascending order
    char text[120]; // condition of an assert, or defect of a barrier or call; NUL-terminated; may be empty
};

#endif
