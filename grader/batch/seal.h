// Seals the rows of a gradebook, so that rows which somebody forged, edited or copied become no marks.
//
// Each row of a table from which marks follow bears a seal: a keyed hash of the table's name and of all the row's
// columns. The key is the class's (base/secret.h). A gradebook that travels, such as one that a machine with a card
// wrote, cannot be changed on the way by somebody who does not have the key. A row that is missing is not noticed.
#ifndef BATCH_SEAL_H
#define BATCH_SEAL_H

#include <stdint.h>

#include "base/text.h"

struct gradebook;

// Makes the connection seal each row that it writes from now on. Dies if the tables are not those of a gradebook.
void seal_begin(struct gradebook *);
// Dies unless each row of the gradebook bears the seal. Names the rows without one.
void seal_check(struct gradebook *);
// Attaches another gradebook as the database `later`. Dies unless each of its runs bears the seal of this gradebook's
// key. Names the runs without one.
void seal_attach(struct gradebook *, const char *path);
// Appends the names of the rows without a seal, one per line. Returns their number.
uint32_t seal_list(struct gradebook *, struct text *names);
// Seals the rows without a seal as they stand.
void seal_accept(struct gradebook *);
// Removes the rows without a seal, and the rows that refer to them.
void seal_drop(struct gradebook *);

#endif
