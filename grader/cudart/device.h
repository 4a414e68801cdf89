// This file declares functions that ask which devices of the program exist and which properties they have.
#ifndef CUDART_DEVICE_H
#define CUDART_DEVICE_H

#include "cudart/call.h"

// Returns the properties of an existing device. libcudart owns the result and asks the runner only once per device.
const struct host_device *cudart_device_facts(int device);
// Returns 1 if the device number `device` exists.
int cudart_device_is(int device);
// Asks or changes whether `device` may access the memory of `other`. For HOST_PEER_CAN, *can (may be NULL) becomes 1 if
// access is possible, else 0. Returns 0 or an error.
cudaError_t cudart_device_peer(int device, int other, enum host_peer_action, int *can);

#endif
