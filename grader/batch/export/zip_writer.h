// Writes a zip archive whose bytes follow from its members alone.
#ifndef BATCH_EXPORT_ZIP_WRITER_H
#define BATCH_EXPORT_ZIP_WRITER_H

#include <stdint.h>

#include "base/text_struct.h"

// Holds an archive that is being written. All zero: an archive without members. The caller frees both texts.
struct zip_writer {
    struct text members, directory;
    uint32_t count;
};
// Adds a member with a name in UTF-8. It is stored as it is, and its time is the first that the format has, 1980-01-01.
// The caller adds no name twice.
void zip_writer_add(struct zip_writer *, const char *name, const struct text *contents);
// Ends the archive, whose bytes are in w->members then. An archive without members stays without bytes.
void zip_writer_end(struct zip_writer *);

#endif
