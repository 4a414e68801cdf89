// Allocates, releases and compares call frames. A call frame is one activation of a device function; core/warp.h
// defines struct frame.
#ifndef SIM_MACHINE_FRAME_H
#define SIM_MACHINE_FRAME_H

#include "sim/core/warp.h"

// Returns a call frame with room for `bytes` bytes of registers, which calls between recursive functions save in the
// frame. frame_new() sets only the fields `saved` and `saved_bytes`. The caller of frame_new() sets the other fields of
// the call frame, including `references`. The caller of frame_new() releases the call frame with frame_release().
struct frame *frame_new(struct warp *, uint32_t bytes);
// Drops one reference to the call frame. A call frame without references also drops its reference to its parent. The
// warp keeps frames without references for later calls of frame_new().
void frame_release(struct warp *, struct frame *);
// Returns 1 if lanes with the two given call frames may run together as one split (group of lanes). Lanes with the same
// call frame may run together. Lanes with different call frames may run together if both frames result from the same
// chain of calls, once frame_merge() has merged the frames.
int frame_same(const struct frame *, const struct frame *);
// Copies the saved registers of the lanes in `mask` from the call frame `from`, and from its callers, to the call frame
// `into` and its callers. After frame_merge(), the lanes in `mask` run with the call frame `into`. The caller calls
// frame_merge() only if frame_same() returns 1 for the two frames.
void frame_merge(struct warp *, struct frame *into, const struct frame *from, uint32_t mask);
// Copies the registers of the lanes in `mask` from one copy of a function's registers to another. In both copies, the
// registers lie as in the function's part of the warp's register file.
void frame_copy_lanes(const struct warp *, const struct plan_func *, uint8_t *to, const uint8_t *from, uint32_t mask);
// Returns the index of the op that findings and counters name when the warp executes op number `op`. Returns `op` if op
// number `op` comes from the student's source. If op number `op` comes from a header, frame_site() returns the
// innermost active call that comes from the student's source.
uint32_t frame_site(const struct warp *, uint32_t op);

#endif
