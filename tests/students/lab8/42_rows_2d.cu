// cudaMemcpy2DAsync: the array is seen as rows of 4096 numbers, devices hold bands of rows with a pitch, the host the rest
#include "lab8.h"

#define WIDTH 4096

static unsigned *in2d[2], *out2d[2];
static size_t pitch_in[2], pitch_out[2];
static cudaStream_t band[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        int rows = n / WIDTH + 1;
        cudaSetDevice(d);
        cudaMallocPitch(&in2d[d], &pitch_in[d], WIDTH * sizeof(unsigned), rows);
        cudaMallocPitch(&out2d[d], &pitch_out[d], WIDTH * sizeof(unsigned), rows);
        cudaStreamCreate(&band[d]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    const int rows = n / WIDTH;
    const int host_rows = rows / 64, top = (rows - host_rows) / 2, bottom = rows - host_rows - top;
    const int first_row[2] = {0, top}, row_count[2] = {top, bottom};
    const size_t width = WIDTH * sizeof(unsigned);

    for (int d = 0; d < 2; d++) {
        const unsigned *from = in + (size_t)first_row[d] * WIDTH;
        unsigned *to = out + (size_t)first_row[d] * WIDTH;
        if (row_count[d] == 0) continue;
        cudaSetDevice(d);
        cudaMemcpy2DAsync(in2d[d], pitch_in[d], from, width, width, row_count[d], cudaMemcpyHostToDevice, band[d]);
        if (pitch_in[d] == width && pitch_out[d] == width) { // no padding: one launch does all rows
            work<<<row_count[d] * (WIDTH / 256), 256, 0, band[d]>>>(in2d[d], out2d[d], row_count[d] * WIDTH);
        } else {
            for (int r = 0; r < row_count[d]; r++)
                work<<<WIDTH / 256, 256, 0, band[d]>>>((unsigned *)((char *)in2d[d] + r * pitch_in[d]),
                                                       (unsigned *)((char *)out2d[d] + r * pitch_out[d]), WIDTH);
        }
        cudaMemcpy2DAsync(to, width, out2d[d], pitch_out[d], width, row_count[d], cudaMemcpyDeviceToHost, band[d]);
    }
    // The host does its rows and what does not fill a row.
    const int done = (top + bottom) * WIDTH;
    work_on_host(in + done, out + done, n - done);
    for (int d = 0; d < 2; d++) cudaStreamSynchronize(band[d]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(band[d]);
        cudaFree(in2d[d]);
        cudaFree(out2d[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
