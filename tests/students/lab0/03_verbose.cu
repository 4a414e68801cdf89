// beginner: every little thing in a variable of its own, comments everywhere
#include "warpwise.h"

LAUNCH(scale, .block = {128}, .tile = {512});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    // who am I?
    int myThread = threadIdx.x;
    int myBlock = blockIdx.x;
    int threadsInBlock = blockDim.x;

    // a block does 4 times as many elements as it has threads
    int elementsOfBlock = 4 * threadsInBlock;
    int firstOfBlock = myBlock * elementsOfBlock;

    // my four elements (one block width apart, so neighbours stay neighbours!)
    int index0 = firstOfBlock + myThread;
    int index1 = index0 + threadsInBlock;
    int index2 = index1 + threadsInBlock;
    int index3 = index2 + threadsInBlock;

    // load all
    float value0 = 0.0f;
    float value1 = 0.0f;
    float value2 = 0.0f;
    float value3 = 0.0f;
    if (index0 < n) { value0 = in[index0]; }
    if (index1 < n) { value1 = in[index1]; }
    if (index2 < n) { value2 = in[index2]; }
    if (index3 < n) { value3 = in[index3]; }

    // compute
    float result0 = 2.0f * value0;
    result0 = result0 + 1.0f;
    float result1 = 2.0f * value1;
    result1 = result1 + 1.0f;
    float result2 = 2.0f * value2;
    result2 = result2 + 1.0f;
    float result3 = 2.0f * value3;
    result3 = result3 + 1.0f;

    // store all
    if (index0 < n) { out[index0] = result0; }
    if (index1 < n) { out[index1] = result1; }
    if (index2 < n) { out[index2] = result2; }
    if (index3 < n) { out[index3] = result3; }
}
