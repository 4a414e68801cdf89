// Defines repairs: small changes of a submission's source that the grader has tried, and that remove a finding.
#ifndef JUDGE_REPAIR_REPAIR_H
#define JUDGE_REPAIR_REPAIR_H

#include "judge/repair/source.h"
#include "judge/verdict/verdict.h"

enum { REPAIR_EDITS = 12, REPAIR_TEXT = 200, REPAIR_CANDIDATES = 24 };

// Describes one change of the source. Inserted text has no line feed, so the lines keep their numbers.
struct repair_edit {
    uint32_t begin, end; // the bytes that `text` replaces
    char text[REPAIR_TEXT];
};
struct repair {
    uint32_t nedits;
    struct repair_edit edit[REPAIR_EDITS];
    int strict; // 1: the change could hide a mistake as well, so it works only if all small visible cases are right
    int pauses; // 1: the host waits in the middle of its work, so the change works only if the lab's technique holds
    // Larger tiles: the name of the kernel, and the axes that grow, as bits. In other repairs `axes` is 0.
    char kernel[ENGINE_NAME];
    uint32_t axes;
    char sentence[VERDICT_SENTENCE]; // says the change to the student, without a full stop
};

// Stores changes of the source that may remove the finding in the array, the most likely change first. Returns the
// number of changes that were stored.
uint32_t repair_propose(const struct source *, const struct verdict_finding *, struct repair[REPAIR_CANDIDATES]);
// Appends the source with the repair's changes to `out`.
void repair_apply(const struct source *, const struct repair *, struct text *out);
// Stores changes of LAUNCH after which a block covers `factor` times as much as before on one axis or on two. Returns
// the number of changes, which is the same for each factor, and so is their order.
uint32_t repair_propose_tiles(const struct source *, uint32_t factor, struct repair[REPAIR_CANDIDATES]);
// Appends a sentence about the suspected cause of a finding to the text, or nothing if the source does not show any.
// The sentence is for a finding that no repair removes: it says where to look, and names no change that was tried.
void repair_suspect(const struct source *, const struct verdict_finding *, struct text *);
// Looks for a repair of the verdict's first finding that does not follow from another finding. For each change that
// repair_propose() proposes, compiles the changed source and runs visible test cases; grades a changed host program as
// a whole. Stores the sentence of the first repair that works in verdict->next; if none does, the suspected cause. Does
// nothing for submissions without a finding, but if one is right and not fast enough for full marks, finds out whether
// LAUNCH's `.tile` covers less than a block does. If a repair works and `repaired` is not NULL, appends the changed
// source to `repaired`.
void repair_find(const struct judge_job *, struct verdict *, struct text *repaired);

#endif
