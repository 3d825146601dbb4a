/* The types of user space, and the short names of the kernel. */
#include_next <linux/types.h>
#ifndef RING_TYPES_H
#define RING_TYPES_H

#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __u64 dma_addr_t;

#endif
