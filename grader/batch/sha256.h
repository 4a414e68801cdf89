// SHA-256 (FIPS 180-4): names a source in the gradebook. A student may choose his bytes, so a table's hash will not do.
#ifndef BATCH_SHA256_H
#define BATCH_SHA256_H

#include <stddef.h>

enum { SHA256_TEXT = 65 }; // 64 hexadecimal digits and the NUL
void batch_sha256(const void *data, size_t bytes, char hex[SHA256_TEXT]);

#endif
