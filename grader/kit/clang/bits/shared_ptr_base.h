// Reads the header of GCC's library without the macro __noinline__ (prelude.h).
#if __clang_major__ < 15
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
#else
#include_next <bits/shared_ptr_base.h>
#endif
