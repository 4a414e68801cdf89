"""The reference's softmax against PyTorch's: softmax.py CUBIN, lines as anchors.cu prints them.

Both run on the same tensors in turn, behind a flush of the L2; the reference is launched through the driver, so that
nothing but PyTorch is needed."""
import ctypes
import statistics
import sys

import torch

REPEATS, WARM, FLUSH = 31, 4, 256 << 20
SHAPES = ((16384, 128), (65536, 32), (16384, 1000))
driver = ctypes.CDLL("libcuda.so.1")


def check(error):
    if error:
        sys.exit(f"softmax.py: the driver answers with error {error}")


def load(path):
    """The kernel, with the block and the rows that one block covers, as its LAUNCH says."""
    module, function, address = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    size, words = ctypes.c_size_t(), (ctypes.c_longlong * 11)()
    check(driver.cuModuleLoad(ctypes.byref(module), path.encode()))
    check(driver.cuModuleGetFunction(ctypes.byref(function), module, b"softmax"))
    check(driver.cuModuleGetGlobal_v2(ctypes.byref(address), ctypes.byref(size), module, b"softmax_launch"))
    check(driver.cuMemcpyDtoH_v2(words, address, ctypes.sizeof(words)))
    return function, words[0], words[3]


def main():
    torch.zeros(1, device="cuda")  # makes the context that the driver's calls use
    function, block, tile = load(sys.argv[1])
    flush = torch.empty(FLUSH, dtype=torch.uint8, device="cuda")
    for rows, columns in SHAPES:
        given = torch.rand(rows, columns, device="cuda")
        out = torch.empty_like(given)
        values = (ctypes.c_uint64(given.data_ptr()), ctypes.c_uint64(out.data_ptr()), ctypes.c_int(rows),
                  ctypes.c_int(columns))
        arguments = (ctypes.c_void_p * 4)(*(ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values))
        blocks = (rows + tile - 1) // tile

        def reference():
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            check(driver.cuLaunchKernel(function, blocks, 1, 1, block, 1, 1, 0, stream, arguments, None))

        def anchor():
            torch.softmax(given, dim=1, out=out)

        def once(work):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            flush.fill_(1)
            start.record()
            work()
            end.record()
            end.synchronize()
            return start.elapsed_time(end) * 1000

        times = [(once(anchor), once(reference)) for _ in range(WARM + REPEATS)][WARM:]
        reference()
        if not torch.allclose(out, torch.softmax(given, dim=1), rtol=1e-4, atol=1e-7):
            sys.exit("softmax.py: the reference's output is wrong")
        theirs, ours = (statistics.median(column) for column in zip(*times))
        print(f"softmax-{rows}x{columns} {theirs:.2f} {ours:.2f}", flush=True)


main()
