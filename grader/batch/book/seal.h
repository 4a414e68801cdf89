// Seals the rows of a gradebook, so that no mark is computed from a row that somebody forged, edited or copied.
//
// Each row of the tables from which marks are computed bears a seal, a keyed hash of the table's name and of the row's
// columns. The key of a row's keyed hash is the class's secret key (base/secret.h). Without the key, nobody can change
// the rows of a gradebook unnoticed, for example while the gradebook is copied from a machine with a graphics card.
// Seals do not show that a row was removed.
#ifndef BATCH_BOOK_SEAL_H
#define BATCH_BOOK_SEAL_H

#include <stdint.h>

struct text;

struct gradebook;

// Makes the gradebook's database connection seal each row that it writes from now on. Dies if the database's tables are
// not those of a gradebook.
void seal_begin(struct gradebook *);
// Dies if a row of the gradebook has no valid seal, that is, no hash keyed with the class's secret key. If only some
// rows lack the seal, seal_check() first prints warnings that name rows without the seal.
void seal_check(struct gradebook *);
// Attaches another gradebook, the file `path`, to the database connection under the name `later`. Dies if a run in the
// other gradebook has no valid seal, that is, no hash keyed with the secret key of this gradebook. If only some runs
// lack the seal, seal_attach() first prints warnings that name runs without the seal.
void seal_attach(struct gradebook *, const char *path);
// Appends the names of the rows that have no valid seal (a hash keyed with the class's secret key) to `names`, one per
// line. Returns the number of rows without the seal.
uint32_t seal_list(struct gradebook *, struct text *names);
// Seals the rows that have no valid seal (a hash keyed with the class's secret key), without changing their other
// columns.
void seal_accept(struct gradebook *);
// Removes the rows that have no valid seal (a hash keyed with the class's secret key), and the rows that refer to
// removed rows.
void seal_drop(struct gradebook *);

#endif
