// Stands in for CUB's iterator over textures, which are not simulated. cub/cub.cuh includes this header.
