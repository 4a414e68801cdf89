// Records what the threads of one or two blocks of a launch do, step by step (engine/recording.h).
#ifndef SIM_RECORD_RECORDER_H
#define SIM_RECORD_RECORDER_H

#include "base/text_struct.h"
#include "engine/engine.h"
#include "sim/core/program.h"

struct recorder;
struct sim_watcher; // sim/core/warp.h

// Returns a recorder of the blocks that the request names in a launch of the program. The request and the program must
// outlive the recorder, which the caller frees with recorder_free().
struct recorder *recorder_new(const struct sim_program *, const struct engine_launch *);
void recorder_free(struct recorder *);
// Returns the watcher that records the launch. The recorder owns it.
struct sim_watcher *recorder_watcher(struct recorder *);
// Appends the recording of the launch's last run to `out`.
void recorder_write(struct recorder *, struct text *out);

#endif
