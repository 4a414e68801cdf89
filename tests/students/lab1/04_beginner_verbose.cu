// beginner: one element per thread, many temporaries, no idea of ratios yet
// not passed: technique
#include "warpwise.h"

LAUNCH(matmul, .block = {32, 8}, .tile = {32, 8});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    int threadX;
    int threadY;
    int blockX;
    int blockY;
    threadX = threadIdx.x;
    threadY = threadIdx.y;
    blockX = blockIdx.x;
    blockY = blockIdx.y;
    int myColumn = blockX * blockDim.x + threadX;
    int myRow = blockY * blockDim.y + threadY;
    bool rowIsInside = (myRow < M);
    bool columnIsInside = (myColumn < N);
    if (rowIsInside == true && columnIsInside == true)
    {
        float theSum = 0.0f;
        int counter = 0;
        while (counter < K)
        {
            int indexInA = myRow * K + counter;
            int indexInB = counter * N + myColumn;
            float valueOfA = A[indexInA];
            float valueOfB = B[indexInB];
            float product = valueOfA * valueOfB;
            theSum = theSum + product;
            counter = counter + 1;
        }
        int indexInC = myRow * N + myColumn;
        C[indexInC] = theSum;
    }
    else
    {
        // nothing to do, this thread is outside
    }
}
