// Finds the CUDA compiler and sets its target architecture. The compute capability of a simulated device is in the
// device's profile. The compute capability of a graphics card is read from the card itself (judge/card/card.c).
#include "base/die.h"
#include "base/text.h"
#include "cli/cli.h"
#include "device/profile.h"

void cli_compiler_find(const struct cli_options *options, struct compiler *compiler)
{
    const struct device_profile *device = device_profile_find(options->device);
    struct text why = {0};
    if (compile_find(options->compiler, compiler, &why)) die("%s", why.data);
    if (device) compiler->capability = (unsigned)device->compute_capability;
}
