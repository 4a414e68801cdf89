// Gives functions a separate name for each level of the host's vector units. Source files with inner loops over lanes
// include this header themselves. The Makefile finds them by this line, and compiles them once for each level (SIM_ISA:
// base, v3, v4). The macro SIM_NAME(f) expands to f at
// level base, to f_v3 at level v3, and to f_v4 at level v4. Because of SIM_NAME, a function that is compiled for one
// level of vector units calls functions that are compiled for the same level.
#ifndef SIM_CORE_VECTOR_LEVEL_H
#define SIM_CORE_VECTOR_LEVEL_H

#ifndef SIM_ISA
#define SIM_ISA base
#endif
#define SIM_SUFFIX_base
#define SIM_SUFFIX_v3 _v3
#define SIM_SUFFIX_v4 _v4
#define SIM_PASTE_(a, b) a##b
#define SIM_PASTE(a, b) SIM_PASTE_(a, b)
#define SIM_NAME(name) SIM_PASTE(name, SIM_PASTE(SIM_SUFFIX_, SIM_ISA))

#endif
