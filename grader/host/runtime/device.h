// This file declares functions that find out which devices the program has, which properties they have, and whether
// they can access each other's memory.
#ifndef HOST_RUNTIME_DEVICE_H
#define HOST_RUNTIME_DEVICE_H

#include "host/runtime/call.h"

// Returns the properties of an existing device. The caller must not free the result, which libcudart owns after asking
// the runner process once per device.
const struct host_device *cudart_device_facts(int device);
// Returns 1 if the device number `device` exists.
int cudart_device_is(int device);
// Asks or changes whether `device` may access the memory of the device `other`. For HOST_PEER_CAN, *can (may be NULL)
// becomes 1 if access is possible, else 0. Returns 0 or a cudaError_t.
cudaError_t cudart_device_peer(int device, int other, enum host_peer_action, int *can);

#endif
