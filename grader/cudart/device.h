// Devices.
#ifndef CUDART_DEVICE_H
#define CUDART_DEVICE_H

#include "cudart/call.h"

// What the runner says of a device that there is; asked for once.
const struct host_device *cudart_device_facts(int device);
int cudart_device_is(int device); // 1: there is one of that number
// What `device` may do with the memory of `other`. can: 1 or 0, of HOST_PEER_CAN; may be NULL.
cudaError_t cudart_device_peer(int device, int other, enum host_peer_action, int *can);

#endif
