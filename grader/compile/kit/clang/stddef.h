// Stands in for the C library's header in device code.
#ifndef WARPWISE_CLANG_STDDEF_H
#define WARPWISE_CLANG_STDDEF_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
#define NULL __null
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
