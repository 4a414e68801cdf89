// Writes CSV, with protection from spreadsheets' formulas.
#include "batch/export/csv_writer.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/escape.h"

static void separate(struct text *out)
{
    if (out->length && out->data[out->length - 1] != '\n') text_puts(out, ",");
}

void csv_writer_put(struct text *out, const char *cell)
{
    separate(out);
    escape_csv(out, cell, strlen(cell));
}

void csv_writer_put_own(struct text *out, const char *cell)
{
    separate(out);
    text_printf(out, strpbrk(cell, ", ") ? "\"%s\"" : "%s", cell);
}

void csv_writer_put_number(struct text *out, double value, int decimals)
{
    if (isnan(value)) {
        csv_writer_put(out, ""); // writes a quoted empty cell, so that the line is not empty
        return;
    }
    separate(out);
    text_printf(out, "%.*f", decimals, value);
}

void csv_writer_end(struct text *out)
{
    text_puts(out, "\n");
}
