// beginner: every index has a name and a line of its own, if-else instead of ?:, 32 x 32 threads
#include "warpwise.h"

#define TILE_WIDTH 32

LAUNCH(matmul, .block = {TILE_WIDTH, TILE_WIDTH}, .tile = {TILE_WIDTH, TILE_WIDTH});

extern "C" __global__ void matmul(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float tileOfA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float tileOfB[TILE_WIDTH][TILE_WIDTH];

    int myX = threadIdx.x;
    int myY = threadIdx.y;
    int myRow = blockIdx.y * TILE_WIDTH + myY;
    int myColumn = blockIdx.x * TILE_WIDTH + myX;
    float mySum = 0;

    int numberOfPhases = K / TILE_WIDTH;
    if (K % TILE_WIDTH != 0)
    {
        numberOfPhases = numberOfPhases + 1;
    }

    for (int phase = 0; phase < numberOfPhases; phase++)
    {
        int columnInA = phase * TILE_WIDTH + myX;
        int rowInB = phase * TILE_WIDTH + myY;

        // load one element of A
        if (myRow < M && columnInA < K)
        {
            int indexA = myRow * K + columnInA;
            tileOfA[myY][myX] = A[indexA];
        }
        else
        {
            tileOfA[myY][myX] = 0;
        }

        // load one element of B
        if (rowInB < K && myColumn < N)
        {
            int indexB = rowInB * N + myColumn;
            tileOfB[myY][myX] = B[indexB];
        }
        else
        {
            tileOfB[myY][myX] = 0;
        }

        // wait until everybody has loaded
        __syncthreads();

        for (int k = 0; k < TILE_WIDTH; k++)
        {
            float valueA = tileOfA[myY][k];
            float valueB = tileOfB[k][myX];
            mySum = mySum + valueA * valueB;
        }

        // wait until everybody has computed
        __syncthreads();
    }

    if (myRow < M)
    {
        if (myColumn < N)
        {
            int indexC = myRow * N + myColumn;
            C[indexC] = mySum;
        }
    }
}

LAUNCH(matmul_dynamic, .block = {16, 16}, .shared = 2048);

extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    extern __shared__ float sharedMemory[];
    int tileWidth = blockDim.x;
    float *tileOfA = &sharedMemory[0];
    float *tileOfB = &sharedMemory[tileWidth * tileWidth];
    int myX = threadIdx.x;
    int myY = threadIdx.y;
    int myRow = blockIdx.y * tileWidth + myY;
    int myColumn = blockIdx.x * tileWidth + myX;
    float mySum = 0;
    int phaseStart = 0;
    while (phaseStart < K)
    {
        tileOfA[myY * tileWidth + myX] = 0;
        tileOfB[myY * tileWidth + myX] = 0;
        if (myRow < M && phaseStart + myX < K)
        {
            tileOfA[myY * tileWidth + myX] = A[myRow * K + phaseStart + myX];
        }
        if (phaseStart + myY < K && myColumn < N)
        {
            tileOfB[myY * tileWidth + myX] = B[(phaseStart + myY) * N + myColumn];
        }
        __syncthreads();
        for (int k = 0; k < tileWidth; k++)
        {
            mySum = mySum + tileOfA[myY * tileWidth + k] * tileOfB[k * tileWidth + myX];
        }
        __syncthreads();
        phaseStart = phaseStart + tileWidth;
    }
    if (myRow < M && myColumn < N)
    {
        C[myRow * N + myColumn] = mySum;
    }
}
