// Allocates, releases and compares call frames. A call frame is one activation of a device function; core/warp.h
// defines struct frame.
#ifndef SIM_MACHINE_FRAME_H
#define SIM_MACHINE_FRAME_H

#include "sim/core/warp.h"

// Returns a call frame with room for `bytes` bytes of the caller's registers, which calls between recursive functions
// save in the frame. The caller sets the other fields of the call frame, including `references`. The caller releases
// the call frame with frame_release().
struct frame *frame_new(struct warp *, uint32_t bytes);
// Drops one reference to the call frame. A call frame without references also drops its reference to its parent. The
// warp keeps frames without references for later calls of frame_new().
void frame_release(struct warp *, struct frame *);
// Returns 1 if lanes with the call frames a and b may run together as one split (group of lanes). Lanes may run
// together if a and b are the same frame. Lanes with different frames may run together if a and b result from the same
// chain of calls, and no differing frame of the two chains holds saved registers.
int frame_same(const struct frame *, const struct frame *);
// Returns the index of the op to which findings and counters attribute the op with index `op`, which the warp executes.
// If `op` comes from the student's source, the function returns `op`. If `op` comes from a header, the function returns
// the innermost call, among the active calls, that comes from the student's source.
uint32_t frame_site(const struct warp *, uint32_t op);

#endif
