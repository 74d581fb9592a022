/* The one function of bcryptprimitives.dll that Rust's standard library calls, for versions of Wine without it. */
#include <stddef.h>

unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, size_t length) {
    return SystemFunction036(buffer, (unsigned long)length);
}
