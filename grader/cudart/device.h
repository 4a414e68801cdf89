// The devices of the program: which ones exist, and their properties.
#ifndef CUDART_DEVICE_H
#define CUDART_DEVICE_H

#include "cudart/call.h"

// Returns the properties of an existing device. The runner is asked once for each device.
const struct host_device *cudart_device_facts(int device);
// Returns 1 if a device of that number exists.
int cudart_device_is(int device);
// Asks or changes whether `device` may access the memory of `other`. *can (may be NULL) becomes the answer to
// HOST_PEER_CAN.
cudaError_t cudart_device_peer(int device, int other, enum host_peer_action, int *can);

#endif
