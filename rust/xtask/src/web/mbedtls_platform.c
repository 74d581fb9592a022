#include <stddef.h>

void mbedtls_platform_zeroize(void *bytes, size_t length) {
	volatile unsigned char *byte = bytes;
	while (length-- > 0) {
		*byte++ = 0;
	}
}
