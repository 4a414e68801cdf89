// Parses untrusted input (archives, git clones, Gradescope's list of students, class lists), each in a sandbox of its
// own.
//
// The importing program starts itself again in a sandbox (box/box.h), with the word UNPACK_WORD as its first argument.
// The program in the sandbox parses one submission and writes records to a memory file. The importing program reads the
// records after the sandbox has ended. Each sandbox has limits of time, memory and output, and parses only one
// submission.
#ifndef BATCH_UNPACK_UNPACK_H
#define BATCH_UNPACK_UNPACK_H

#include <stddef.h>
#include <stdint.h>

struct text;

#define UNPACK_WORD "unpack"

// Lists the kinds of records that the program in a sandbox writes. Each record has a path, a time, a number and
// contents.
enum unpack_kind {
    UNPACK_FILE,    // a source: path, contents, time; the number is the size, which exceeds the contents if too large
    UNPACK_OTHER,   // a file that is no source: path
    UNPACK_ARCHIVE, // an archive within the archive: path, contents, time
    UNPACK_LINK,    // a link: path
    UNPACK_STRANGE, // an entry that is no regular file, or leads elsewhere: path
    UNPACK_REFUSED, // path, or "" for the archive; the number is one of enum unpack_refusal, the time is the number of
                    // members that were read before, the contents are a library's message
    UNPACK_COMMIT,  // begins the files of a commit: time; the number is 1 if there is no commit
    UNPACK_SUBMISSION, // a submission in Gradescope's list: path is the folder, time
    UNPACK_SUBMITTER,  // a member of this submission: name, student number and e-mail address, each ended by a NUL
    UNPACK_ROW,        // a row of a table: its cells, each ended by a NUL
    UNPACK_COUNT,      // members of an archive: the number that its directory lists, as time the number that was read
    UNPACK_END,        // the last record: time is the number of unpacked bytes, the number that of the entries
};
enum unpack_refusal {
    UNPACK_RATIO,        // it unpacks to far more than it is
    UNPACK_DAMAGED,      // the archive is damaged here
    UNPACK_CUT_HERE,     // the archive ends within this member
    UNPACK_LARGE,        // too large
    UNPACK_NESTED,       // an archive within an archive within
    UNPACK_LOCKED,       // encrypted
    UNPACK_NAMES,        // it has two names
    UNPACK_NAMELESS,     // its name cannot be read
    UNPACK_ENTRIES,      // too many entries
    UNPACK_CUT,          // the archive ends early
    UNPACK_NO_DIRECTORY, // the archive ends early, and its directory is missing
    UNPACK_FOREIGN,      // the directory at the end is not proven to be the archive's own
    UNPACK_STOPPED,      // what comes after was not read
    UNPACK_BROKEN,       // it cannot be read, for the reason in the contents
};
struct unpack_record {
    enum unpack_kind kind;
    char *path; // NUL-terminated; may contain another NUL if `length` is set
    size_t
        length; // of `path`. A writer may leave it 0 for a path without another NUL. It is set in a record that is read
    const char *data;
    size_t bytes;
    uint32_t dos; // 1: a program for DOS or Windows packed the archive (filename.h)
    int64_t time;
    uint64_t number;
};
// Describes what the program in a sandbox must parse: the kind of the input ("archive", "clone", "list" or "table"),
// arguments for this kind, and the input itself.
struct unpack_request {
    const char *kind;
    const char *const *arguments; // NULL-terminated, or NULL
    int input;                    // descriptor of a regular file; -1: none
    const char *directory;        // private directory, the working directory of the program in the box; or NULL
    uint64_t input_bytes;         // size of the input
    uint64_t output;              // most bytes of records
};
// Parses a request in a sandbox, and calls `take` for each record up to UNPACK_END. Returns 0, or -1 with the reason as
// a sentence in *why if the submission could not be read within the limits. If the result is -1, `take` was not called.
int unpack_run(const struct unpack_request *, void (*take)(void *, const struct unpack_record *), void *data,
               struct text *why);
// Returns the descriptor of a new memory file with a copy of the `bytes` bytes at `data`.
int unpack_input(const char *data, size_t bytes);

// If argv[1] is UNPACK_WORD, parses the input that an importing process passed to this process, and ends this process.
// If argv[1] is another word, returns. Each program that calls unpack_run() must call unpack_serve() at the beginning
// of main().
void unpack_serve(int argc, char **argv);

// The functions from unpack_put() to unpack_list() run in the sandbox.
//
// Writes a record to the memory file for the importing process. Ends this process if the record cannot be written.
void unpack_put(const struct unpack_record *);
// Unpacks an archive and writes a record for each entry. `depth` is the number of archives that contain this archive.
// (archive.c)
void unpack_archive(const char *data, size_t bytes, int depth);
// Reads commits of the bare repository in the working directory, and writes their sources as records. `before` is a
// NULL-terminated list of times, in seconds since 1970. For each time, unpack_clone() writes the newest commit that is
// not newer than this time. If all commits are newer than the time, or if the time is "0", unpack_clone() writes the
// newest commit. (clone.c)
void unpack_clone(char *const *before);
// Parses Gradescope's list. (gradescope.c)
void unpack_list(const char *data, size_t bytes);
// Parses a table in CSV. (csv.c)
void unpack_table(const char *data, size_t bytes);

#endif
