// Reads and prints the record of a baseline: the time and the counters that a lab's own slow kernels or program have in
// the speed case on a simulated device.
//
// A submission's speedup is relative to the baseline. nvcc and clang make images of different speed from one baseline,
// and a class's key chooses other blocks for the sample. With a record, the baseline is the same for each compiler, key
// and seed, and no grading has to compile or simulate it. The record is the file baseline.record beside baseline.cu. It
// has one block of lines for each device:
//
//   baseline h200                         the device's profile
//   source 3f9c0f0e5d1c2b7a               hashes of what the figures were computed from (struct judge_record_key)
//   case …
//   profile …
//   model …
//   compiler nvcc 13.0                    for the reader; not compared
//   sampled 1                             1: only some blocks were run, and the counters were scaled
//   time_ps 727123456                     time of all launches, or of a host program's timed part
//   kernel block_sums                     a block for each kernel of the lab, in the lab's order
//   time_ps 4273625                       time of all launches of the kernel
//   warp_inst 1234567                     the counters that are not 0, in the order of counter.def
//   …
//   end
//
// Lines that begin with '#' and empty lines are comments. The command `make baselines` writes the records.
#ifndef JUDGE_JOB_RECORD_H
#define JUDGE_JOB_RECORD_H

#include "judge/job/job.h"

enum { RECORD_HASH = 17 }; // size of a hash's 16 hexadecimal digits, with the NUL

// Identifies what a record was computed from. A record is used only if all of its hashes are those of the present job.
struct judge_record_key {
    char source[RECORD_HASH]; // baseline.cu, the kit's header and a host lab's main.h; empty: the source is not here
    char speed_case[RECORD_HASH]; // names of the lab's kernels, and the fields of its speed case
    char profile[RECORD_HASH];    // values of the device's profile
    char model[RECORD_HASH];      // the simulator's sources, without comments and white space
};

struct judge_record {
    uint64_t time_ps; // time of all launches, or of a host program's timed part, in picoseconds
    int sampled;      // 1: only some blocks were run, and the counters were scaled
    struct judge_record_kernel {
        uint64_t time_ps; // time of all launches of the kernel, in picoseconds
        struct counters counters;
    } kernel[LAB_KERNELS]; // in the order of lab->kernel
};

// Says whether a baseline has a record, or why it has none that can be used.
enum judge_record_match {
    RECORD_MATCHES,
    RECORD_MISSING, // there is no file, or the file has no block for the device
    RECORD_DAMAGED, // the file breaks the format
    RECORD_SOURCE,  // the baseline or a header was changed
    RECORD_CASE,    // the speed case was changed
    RECORD_PROFILE, // the device's profile was changed
    RECORD_MODEL,   // the simulator was changed
};
// Contains an untranslated sentence for each value of enum judge_record_match; NULL for RECORD_MATCHES.
extern const char *const judge_record_why[];

// Looks for the record of the job's baseline on the job's device. Fills the record if the result is RECORD_MATCHES. A
// student's kit does not contain the baseline's source; there, the source's hash is not compared.
enum judge_record_match judge_record_find(const struct judge_job *, struct judge_record *);
// Appends the block of a baseline's record to the text. Calls die() if the baseline's source cannot be read.
void judge_record_print(const struct judge_job *, const struct judge_record *, struct text *);

// Computes the hashes that a record must have to be used for the job. Returns 0, or -1 if there is no such device.
int judge_record_key(const struct judge_job *, struct judge_record_key *);
// Reads the block for `device` from a record file's text. Returns RECORD_MATCHES and fills the record and its key, or
// returns RECORD_MISSING or RECORD_DAMAGED. The whole text must keep to the format.
enum judge_record_match judge_record_parse(const char *text, const struct lab *, const char *device,
                                           struct judge_record *, struct judge_record_key *);
// Returns the sum of the counters of all kernels.
struct counters judge_record_sum(const struct judge_record *);

#endif
