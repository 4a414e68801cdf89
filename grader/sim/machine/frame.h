// Allocates, releases and compares call frames. A call frame is one activation of a device function; core/warp.h
// defines struct frame.
#ifndef SIM_MACHINE_FRAME_H
#define SIM_MACHINE_FRAME_H

#include "sim/core/warp.h"

// Returns a frame with room for `bytes` bytes of saved rows. The caller sets the other fields, including `references`.
// The frame is released with frame_release().
struct frame *frame_new(struct warp *, uint32_t bytes);
// Drops one reference to the frame. A frame without references also drops its reference to its parent. The warp keeps
// such frames for later calls of frame_new().
void frame_release(struct warp *, struct frame *);
// Returns 1 if lanes with frames a and b may form one split. The frames must result from the same chain of calls, and
// must not hold saved rows unless they are the same frame.
int frame_same(const struct frame *, const struct frame *);
// Returns the op that findings and counters name for op `op` of the current split. If `op` comes from the student's
// source, the function returns `op`. If `op` comes from a header, the function returns the innermost call that comes
// from the student's source.
uint32_t frame_site(const struct warp *, uint32_t op);

#endif
