// The older name of NVTX's header.
#include "nvtx3/nvToolsExt.h"
