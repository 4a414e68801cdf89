// Declares what the makers of repairs share: where statements begin and end, and how a proposal is stored.
#ifndef JUDGE_REPAIR_MAKER_H
#define JUDGE_REPAIR_MAKER_H

#include "judge/repair/repair.h"

enum { LEVELS = 8, STATEMENT = 120 };

struct maker {
    const struct source *s;
    const struct verdict_finding *v;
    const struct finding *f; // of `v`
    struct repair *out;      // [REPAIR_CANDIDATES]
    uint32_t count;
};

// Returns the token at a place of the source, or NOWHERE. Without a column, returns the line's first token.
uint32_t maker_token(const struct source *, const struct finding_place *);
// Returns 1 if `if (`, `for (` or `while (` begins at token t.
int maker_is_header(const struct source *, uint32_t t);
// Returns the last token of the statement that begins at token t, with its else.
uint32_t maker_end(const struct source *, uint32_t t);
// Returns the first token of the statement that holds token t. A statement in a header is part of the header's
// statement.
uint32_t maker_begin(const struct source *, uint32_t t);
// Stores the statements around token t in `begin`, from the innermost to the function's own. Returns how many they are.
uint32_t maker_around(const struct source *, uint32_t t, uint32_t begin[LEVELS]);
// Copies the text of the tokens from `first` to `last`. A longer text than `out` holds is replaced by an empty one.
void maker_copy(const struct source *, uint32_t first, uint32_t last, char out[STATEMENT]);

// Describes the parts of the statement `[if (C)] L op R;` as tokens.
struct maker_assignment {
    uint32_t begin, condition, left, op, right, end; // `condition`: the bracket of the if, or NOWHERE
};
// Finds the parts of the statement that holds token t. Returns 0 if the statement has another form.
int maker_assignment(const struct source *, uint32_t t, struct maker_assignment *);

// Returns a new proposal without edits, or NULL if REPAIR_CANDIDATES are stored.
struct repair *maker_new(struct maker *);
// Adds an edit to a proposal. A proposal's edits must be added in the order of their places.
void maker_replace(struct repair *, uint32_t begin, uint32_t end, const char *text);
// Proposes other text for the tokens from `first` to `last`, as a strict repair. Returns NULL if a text is too long.
struct repair *maker_instead(struct maker *, uint32_t first, uint32_t last, const char *text);

// Proposes repairs for accesses that are out of bounds, and for indices that name a wrong element.
void maker_guard(struct maker *);
// Proposes repairs for values that are used before they were written.
void maker_value(struct maker *);
// Proposes repairs for masks that name other lanes than those that execute an instruction.
void maker_mask(struct maker *);
// Proposes to let threads go on that leave before a barrier. Considers the exits before token t of its function, or
// with NOWHERE the exits of all functions that have a barrier behind them.
void maker_exit(struct maker *, uint32_t t);
// Proposes repairs for blocks that do not cover the output, or that cover it several times.
void maker_cover(struct maker *);

#endif
