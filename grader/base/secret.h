// Keeps a class's secret key, and derives other keys from it. These keys decide what a submission must not know in
// advance: the sizes of hidden test cases, the blocks that the simulator samples, and the result elements that are
// compared.
//
// Each class of students has a secret key of 128 random bits. The path of the key's file is the path of the class's
// gradebook with ".key" appended. Practice, that is, grading without a gradebook, uses the key zero, which everybody
// knows. For each purpose, a text such as "hidden cases", secret_derive() derives another key from the class's key. A
// derived key tells nothing about the class's key or about the keys for other purposes, so a process that runs a
// student's kernels may get a derived key. The class's key and the seeds of the input data are never given to a process
// that runs a student's kernels. The same key, purpose and hashed data give the same hash on every machine.
//
//   purpose             hashed data              result
//   "submission"        seed, source             a seed for each submission (judge/job/job.c)
//   "hidden cases"      this seed, lab, case     sizes of a hidden case (lab/draw.c)
//   "compared elements" seed, lab                elements of the speed case that are compared (judge/kernel/speed.c)
//   "result of a node"  name and bytes           seal of a result file (batch/grading/spool.c)
//   "row of a gradebook" table and columns       seal of a row (batch/book/seal.c)
//   "samples"           seed, source, launch     blocks and instructions that are sampled (judge/kernel/speed.c)
#ifndef BASE_SECRET_H
#define BASE_SECRET_H

#include <stddef.h>
#include <stdint.h>

struct text;
struct secret {
    uint64_t word[2]; // all zero: the key of practice
};
// Derives the key for one purpose from the key `from`, and returns the derived key.
struct secret secret_derive(const struct secret *from, const char *purpose);
// Returns a keyed hash of the `bytes` bytes at `data`. Without the key, nobody can compute or guess the hash.
uint64_t secret_hash(const struct secret *key, const void *data, size_t bytes);

// Computes the seal, a keyed checksum, of the `bytes` bytes at `data` for one purpose. A seal consists of two keyed
// hashes, together 128 bits.
void secret_seal(const struct secret *key, const char *purpose, const void *data, size_t bytes, uint64_t seal[2]);

// Reads the key from the file `path`. If the key file is missing and `make` is 1, first makes a key file with a random
// key and mode 0600. Two processes that make the same key file at the same time get the same key. Returns 0, or -1 with
// a sentence in *why.
int secret_read(struct secret *key, const char *path, int make, struct text *why);
// Writes the key to the file `path` with mode 0600, replacing an older file. Returns 0 or an errno value.
int secret_write(const struct secret *key, const char *path);

#endif
