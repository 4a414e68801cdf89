// Defines a finding: a defect of the student's kernel that an engine detected. A finding describes a mistake of the
// student, never an error of the grader. The layout of struct finding is fixed and has no pointers, because a runner
// process sends findings to the judge process.
#ifndef ENGINE_FINDING_H
#define ENGINE_FINDING_H

#include <stdint.h>

enum {
    FINDING_SYMBOL = 40, // bytes of a variable's name, NUL included
    FINDING_WAITS = 4,   // most groups of waiting threads that a deadlock lists
};

enum finding_kind {
#define FINDING(id, word, severity, effect, hint) FINDING_##id,
#include "engine/finding.def"
#undef FINDING
    FINDING_KINDS
};
// Lists the severities of findings. A finding with the severity FINDING_DEFECT costs the points for safety; a finding
// with the severity FINDING_NOTE costs nothing.
enum finding_severity { FINDING_NOTE, FINDING_DEFECT };
// Lists the ways in which a defect affects the rest of a program.
enum finding_effect {
    EFFECT_MEETING, // threads do not meet where they should, so nothing orders their accesses and values are missing
    EFFECT_ADDRESS, // an access goes elsewhere: its own element is left out, and another element may be hit
    EFFECT_ORDER,   // accesses are not ordered, so a read may come before the write of its value
    EFFECT_VALUE,   // a value is undefined
    EFFECT_STOP,    // the kernel ended early
    EFFECT_RESULT,  // seen only in the results of the launches
};
struct finding_info {
    const char *id, *word, *hint;
    enum finding_severity severity;
    enum finding_effect effect;
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

// Lists the kinds of source files in which a finding can be: the student's file, the grader's header warpwise.h, or any
// other file. A finding contains a value of enum finding_file instead of a path, so that a hostile runner process
// cannot make the judge open files.
enum finding_file { FILE_STUDENT, FILE_KIT, FILE_OTHER, FINDING_FILES };

// Describes a source location, and the thread that executed the code at this location.
struct finding_place {
    uint8_t file;    // file of the source, enum finding_file
    uint8_t access;  // kind of memory access, enum access_kind
    uint16_t column; // column in the file, from 1; 0: unknown
    uint32_t line;   // line in the file, from 1; 0: unknown
    uint32_t path;   // number of the file in the image's list of files; used only inside the runner
    uint32_t block[3], thread[3];
};

// Describes a group of threads of a block that wait at the source line `line`; 0 means that the line is unknown. The
// fields `low` and `high` are the lowest and the highest number of the waiting threads in the block.
struct finding_wait {
    uint32_t low, high, line;
};

// Describes a defect of the student's kernel that an engine detected.
struct finding {
    uint16_t kind;       // enum finding_kind
    uint8_t space;       // space of the accessed memory, enum memory_space
    uint8_t second;      // 1: `other` is valid; `other` is the second access of a race, or the second barrier
    uint8_t unoptimised; // 1: the defect was seen in the unoptimised image
    // The fields `epoch`, `warp`, `fence` and `strong` are used only for races.
    uint8_t epoch;  // 1: both accesses are in one block, between the barriers at the lines `after` and `before`
    uint8_t warp;   // 1: in every occurrence, both accesses were in the same warp
    uint8_t fence;  // 1: a fence would order both accesses; its place is before the atomic or flag that follows the
                    // first access
    uint8_t strong; // 1: both accesses were volatile
    struct finding_place at, other;
    uint32_t after, before; // lines of the last barrier before both accesses and the next after them; 0: none
    int32_t buffer;         // index of the accessed engine buffer, or -1
    uint32_t size;          // size of the accessed element in bytes
    int64_t offset;         // offset in bytes from the start of the buffer or symbol; may be negative
    uint64_t extent;        // size of the buffer or symbol in bytes
    uint64_t value; // depends on `kind`: lanes of a bad mask, lanes missing at a barrier, warp instructions that a
                    // launch may execute, or threads that had returned before the block's last barrier (never_written)
    uint64_t count; // number of occurrences in the launch
    uint32_t step;  // in a recorded launch: step of the recording in which it was found; 0: in none
    char symbol[FINDING_SYMBOL]; // demangled name of the shared, local or device variable; NUL-terminated; may be empty
    uint32_t waits;              // number of valid elements of `wait`
    struct finding_wait wait[FINDING_WAITS]; // a deadlock's waiting threads, in ascending order
    char text[120]; // condition of an assert, defect of a barrier or call, why nobody wakes the threads that wait, why
                    // a loop never ends, or "shuffle" (never_written: its value); NUL-terminated; may be empty
};

#endif
