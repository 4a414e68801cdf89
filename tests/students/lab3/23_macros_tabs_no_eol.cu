// tabs, macros that hide the loops (FOR, SCAN_STEP, BARRIER), no newline at the end
#include "warpwise.h"
#define BARRIER	__syncthreads()
#define FOR(v,a,b)	for (int v = (a); v < (b); ++v)
#define POW2(v,lim)	for (int v = 1; v < (lim); v <<= 1)
#define TID	((int)threadIdx.x)
#define BS	384
#define LIM	512	/* the next power of two */
#define PER	5
#define TILE	(BS*PER)
#define SCAN_STEP(x,d)	do { unsigned _u = TID >= (d) ? (x)[TID-(d)] : 0; BARRIER; (x)[TID] += _u; BARRIER; } while (0)
#define SCAN(x)		do { BARRIER; POW2(_d,LIM) SCAN_STEP(x,_d); } while (0)

LAUNCH(block_sums, .block = {BS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {BS});
LAUNCH(scan_blocks, .block = {BS}, .tile = {TILE});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
	__shared__ unsigned x[BS];
	x[TID] = 0;
	FOR(k, 0, PER) {
		int i = blockIdx.x*TILE + k*BS + TID;
		if (i < n) x[TID] += in[i];
	}
	SCAN(x);
	if (TID == 0) sums[blockIdx.x] = x[BS-1];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
	__shared__ unsigned x[BS];
	unsigned carry = 0;
	for (int base = 0; base < m; base += TILE) {
		unsigned v[PER], s = 0;
		FOR(k, 0, PER) {
			int i = base + TID*PER + k;
			v[k] = i < m ? sums[i] : 0;
			s += v[k];
		}
		x[TID] = s;
		SCAN(x);
		s = carry + x[TID] - s;
		FOR(k, 0, PER) {
			int i = base + TID*PER + k;
			if (i < m) sums[i] = s;
			s += v[k];
		}
		carry += x[BS-1];
		BARRIER;
	}
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
	__shared__ unsigned x[BS];
	int first = blockIdx.x*TILE + TID*PER;
	unsigned v[PER], s = 0;
	FOR(k, 0, PER) v[k] = s += first+k < n ? in[first+k] : 0;
	x[TID] = s;
	SCAN(x);
	s = x[TID] - s + sums[blockIdx.x];
	FOR(k, 0, PER) if (first+k < n) out[first+k] = s + v[k];
}