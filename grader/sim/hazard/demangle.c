// Extracts source names from mangled names.
//
// Compilers mangle a local variable as _ZZ<function>E<name>[_<number>], and a static variable of a namespace as
// _ZN…<name>E or _ZL<name>. The compilers nvcc -G and clang append a suffix to mangled names, which begins with $ or is
// a dot and digits. A mangled name can contain several identifiers (namespaces, functions, the variable), of which a
// report shows only the variable's own name, the last identifier. Because reports show only names, this file decodes
// the lengths and identifiers in a mangled name, but not its types.
#include "sim/hazard/demangle.h"

#include <ctype.h>
#include <string.h>

#include "base/message.h"

// Reads "<length><identifier>" at p. Returns the start of the identifier at p and stores its length in *n. Returns NULL
// if the text at p is not a length that an identifier follows.
static const char *source_name(const char *p, size_t *n)
{
    size_t length = 0, digits = 0;
    for (; isdigit((unsigned char)p[digits]) && digits < 6; digits++) length = length * 10 + (size_t)(p[digits] - '0');
    if (!digits || !length || strlen(p + digits) < length) return NULL;
    *n = length;
    return p + digits;
}

// Returns the start of the variable's name in the mangled name _ZZ<function>E<name> of a local variable, and stores the
// name's length in *n. Returns NULL if the mangled name contains no name of a local variable. In a mangled name such as
// _ZZ4kernvE4tile, the variable's name (tile) follows the last 'E' that stands directly before a length and an
// identifier.
static const char *local_name(const char *name, size_t *n)
{
    const char *found = NULL;
    for (const char *p = name; *p; p++) {
        if (*p != 'E') continue;
        size_t length;
        const char *at = source_name(p + 1, &length);
        if (!at) continue;
        const char *rest = at + length;
        if (*rest && *rest != '_' && *rest != '.' && *rest != '$') continue;
        found = at;
        *n = length;
    }
    return found;
}

// Returns the last identifier in the mangled name of a namespace member or a static variable, and stores its length in
// *n. Examples of such mangled names are _ZN2ns1xE, _ZL1x and _ZN45_GLOBAL__N__…1xE. Returns NULL if the mangled name
// contains no identifier.
static const char *last_name(const char *name, size_t *n)
{
    const char *found = NULL;
    const char *p = name + 2;
    while (*p == 'N' || *p == 'L' || *p == 'K' || *p == 'V') p++;
    for (size_t length; (p = source_name(p, &length));) {
        found = p;
        *n = length;
        p += length;
        if (*p == 'L') p++;
    }
    return found;
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// Copies at most `room` bytes of an identifier of `n` bytes to `out`. Restores letters outside ASCII, which the compile
// step writes as _xHH for each byte (compile/rewrite.c).
static void copy_identifier(char *out, size_t room, const char *at, size_t n)
{
    for (size_t i = 0, written = 0; i < n && written < room; written++) {
        int is_byte =
            n - i >= 4 && at[i] == '_' && at[i + 1] == 'x' && hex_digit(at[i + 2]) >= 8 && hex_digit(at[i + 3]) >= 0;
        out[written] = is_byte ? (char)(hex_digit(at[i + 2]) << 4 | hex_digit(at[i + 3])) : at[i];
        i += is_byte ? 4 : 1;
    }
}

void demangle(char out[FINDING_SYMBOL], const char *name)
{
    size_t n = 0;
    const char *at = NULL;
    if (strncmp(name, "_ZZ", 3) == 0)
        at = local_name(name, &n);
    else if (strncmp(name, "_Z", 2) == 0)
        at = last_name(name, &n);
    if (!at) {
        at = name;
        n = strcspn(name, "");
        if (strncmp(name, "$str", 4) == 0 || strncmp(name, "_$_str", 6) == 0 || strncmp(name, ".str", 4) == 0) {
            at = N_("string constant");
            n = strlen(at);
        }
        if (strncmp(name, "__local_depot", 13) == 0) {
            at = N_("local memory");
            n = strlen(at);
        }
    }
    memset(out, 0, FINDING_SYMBOL); // so that reports are equal byte by byte
    copy_identifier(out, FINDING_SYMBOL - 1, at, n);
}
