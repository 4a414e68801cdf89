// Reads the file of a kernel for the operators.
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "operator.h"

enum { SOURCE_MOST = 1 << 20 };

void operator_read(struct source *s, const char *path)
{
    struct text text = {0};
    int error = text_read_file(&text, path, SOURCE_MOST);
    if (error) die("cannot read '%s': %s", path, strerror(error));
    if (source_split(s, text.data, text.length)) die("'%s' has a bracket without its other one", path);
    s->path = path;
    text_free(&text);
}
