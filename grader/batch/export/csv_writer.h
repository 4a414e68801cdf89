// Writes CSV files for course systems and spreadsheets.
#ifndef BATCH_EXPORT_CSV_WRITER_H
#define BATCH_EXPORT_CSV_WRITER_H

struct text;

// Appends a cell to a CSV line, with text that a student or another person may have written. The text of
// csv_writer_put() is quoted and protected from being read as a spreadsheet formula (report/escape.h). Writes a comma
// before every cell except the first cell of a line.
void csv_writer_put(struct text *out, const char *cell);
// Appends a cell to a CSV line, with text that comes from this program and needs no protection. Quotes the cell only if
// its text contains a comma or a blank.
void csv_writer_put_own(struct text *out, const char *cell);
// Appends a CSV cell with a number that has `decimals` digits after the decimal point, or an empty cell for NaN.
void csv_writer_put_number(struct text *out, double value, int decimals);
// Ends the current line.
void csv_writer_end(struct text *out);

#endif
