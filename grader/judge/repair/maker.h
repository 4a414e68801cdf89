// Declares the functions that all files share which propose repairs, such as guard.c: they find where statements begin
// and end, and store proposals for a repair.
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

// Returns the token at a line and column of the source, or NOWHERE if there is no such token. If the place has no
// column, returns the first token of the place's line.
uint32_t maker_token(const struct source *, const struct finding_place *);
// Returns 1 if `if (`, `for (` or `while (` begins at token t.
int maker_is_header(const struct source *, uint32_t t);
// Returns the last token of the statement that begins at token t, including an `else` branch.
uint32_t maker_end(const struct source *, uint32_t t);
// Returns the first token of the statement that contains token t. A token between the parentheses of `if (`, `for (` or
// `while (` belongs to the whole if, for or while statement.
uint32_t maker_begin(const struct source *, uint32_t t);
// Stores the first tokens of the statements around token t in `begin`, from the innermost statement to the outermost
// statement in the function's body. Returns the number of statements that were stored in `begin`.
uint32_t maker_around(const struct source *, uint32_t t, uint32_t begin[LEVELS]);
// Returns 1 if the statement that begins at token `begin` contains token t.
int maker_holds(const struct source *, uint32_t begin, uint32_t t);
// Stores the first tokens of the statements around token t in `begin`, as maker_around() does, and the number of these
// statements in *all. Returns how many of these statements, counted from the innermost, do not contain the token
// `other`, but at least 1.
uint32_t maker_apart(const struct source *, uint32_t t, uint32_t other, uint32_t begin[LEVELS], uint32_t *all);
// Copies the text of the tokens from `first` to `last` to `out`. If the text is too long for `out`, maker_copy() stores
// an empty string.
void maker_copy(const struct source *, uint32_t first, uint32_t last, char out[STATEMENT]);

// Describes the parts of the statement `[if (C)] L op R;` as tokens.
struct maker_assignment {
    uint32_t begin, condition, left, op, right, end; // `condition`: the bracket of the if, or NOWHERE
};
// Finds the parts of the assignment statement that contains token t. Returns 0 if the statement does not have the form
// `[if (C)] L op R;`.
int maker_assignment(const struct source *, uint32_t t, struct maker_assignment *);

// Returns a new proposal without edits, or NULL if REPAIR_CANDIDATES proposals are already stored.
struct repair *maker_new(struct maker *);
// Adds an edit to a proposal: `text` replaces the source's bytes from `begin` up to, but not including, `end`. A
// proposal's edits must be added in the order of their positions in the source.
void maker_replace(struct repair *, uint32_t begin, uint32_t end, const char *text);
// Proposes to replace the tokens from `first` to `last` by `text`, as a strict repair, which works only if all small
// visible test cases become right. Returns NULL if the old or the new text is too long, if the two are equal, or if
// REPAIR_CANDIDATES proposals are already stored.
struct repair *maker_instead(struct maker *, uint32_t first, uint32_t last, const char *text);

// Proposes repairs for accesses that are out of bounds, and for indices that name a wrong element.
void maker_guard(struct maker *);
// Proposes repairs for values that are used before they were written.
void maker_value(struct maker *);
// Proposes repairs for masks that name other lanes than those that execute an instruction.
void maker_mask(struct maker *);
// Proposes to let threads go on that leave their function before a barrier, for example by `if (c) return;`. Considers
// the exits before token t in t's function. If t is NOWHERE, considers the exits of all functions that have a barrier
// behind them.
void maker_exit(struct maker *, uint32_t t);
// Proposes repairs for blocks that do not cover the output, or that cover it several times.
void maker_cover(struct maker *);
// Proposes tiles that are `factor` times as large on one axis or on two, for blocks that cover more than LAUNCH says.
void maker_tiles(struct maker *, uint32_t factor);
// Proposes waits in a host program.
void maker_wait(struct maker *);
// Finds the stream of the copy or launch whose statement contains token t: the last argument of its call, or of
// <<<…>>>. Stores its first and last token. Returns 0, or -1 if there is no stream.
int maker_stream(const struct source *, uint32_t t, uint32_t *first, uint32_t *last);
// The functions of host_program.c. maker_call() proposes repairs of a call that failed, maker_order() those of the
// operations at tokens `t` and `other` that nothing orders, and maker_given() those of a launch of a host lab's given
// kernel.
void maker_call(struct maker *);
void maker_order(struct maker *, uint32_t t, uint32_t other);
void maker_given(struct maker *);

#endif
