// old C programmer: goto, all declarations at the top, no blank for nothing
#include "warpwise.h"
LAUNCH(scale,.block={256},.per_sm=8);
extern "C" __global__ void scale(const float*in,float*out,int n)
{
  int i,step;
  float x;
  i=blockIdx.x*blockDim.x+threadIdx.x;
  step=gridDim.x*blockDim.x;
again:
  if(i>=n)goto done;
  x=in[i];
  x+=x;
  x+=1.0f;
  out[i]=x;
  i+=step;
  goto again;
done:
  return;
}
