// Call frames: one activation of a device function each. core/warp.h has the structure.
#ifndef SIM_MACHINE_FRAME_H
#define SIM_MACHINE_FRAME_H

#include "sim/core/warp.h"

// Returns a frame with room for `bytes` of saved rows. The caller fills in the fields, references included.
struct frame *frame_new(struct warp *, uint32_t bytes);
// Gives back one reference. The warp keeps unused frames for later calls.
void frame_release(struct warp *, struct frame *);
// Returns 1 if lanes with these frames may go on as one split: the same calls led to both.
int frame_same(const struct frame *, const struct frame *);
// Returns the op that findings and counters name for an op of the current split. That is the op itself if it stands in
// the student's source; inside a function of a header, it is the nearest call that does.
uint32_t frame_site(const struct warp *, uint32_t op);

#endif
