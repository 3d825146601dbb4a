/* What hotline_ring.c uses of the kernel, for a test in user space on one thread. Time
 * is a counter that sleeping advances, and registers are those of bench.c. */
#ifndef RING_KERNEL_H
#define RING_KERNEL_H

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/types.h>

#define __iomem
#define HZ		250
#define USEC_PER_SEC	1000000UL

extern unsigned long jiffies;

#define time_after(a, b)	((long)((b) - (a)) < 0)
#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define dma_rmb()		__asm__ __volatile__("" ::: "memory")
#define FIELD_GET(mask, v)	(((v) & (mask)) >> __builtin_ctz(mask))
#define lower_32_bits(n)	((u32)(n))
#define upper_32_bits(n)	((u32)((n) >> 32))
#define le32_to_cpu(x)		((u32)(x))
#define cpu_to_le32(x)		((__le32)(x))

struct mutex { int locked; };
static inline void mutex_lock(struct mutex *lock) { lock->locked++; }
static inline void mutex_unlock(struct mutex *lock) { lock->locked--; }

typedef struct { int unused; } wait_queue_head_t;
struct device { int unused; };
struct pci_dev { struct device dev; };
#define dev_err(dev, ...)	((void)(dev), printf(__VA_ARGS__))

u32 readl(const void *address);
void writel(u32 value, void *address);
u32 crc32c(u32 crc, const void *bytes, size_t n);

/* Sleeps for a jiffy: something may happen meanwhile. */
void sleep_a_jiffy(void);

/* wait_event_timeout() is more than 0 as soon as the condition holds, and 0 if it does
 * not hold when the time is over. */
#define wait_event_timeout(queue, condition, timeout) ({		\
	long left_ = (timeout);						\
	bool holds_;							\
	(void)&(queue);							\
	while (!(holds_ = (condition)) && left_ > 0) {			\
		sleep_a_jiffy();					\
		left_--;						\
	}								\
	holds_ ? left_ + 1 : 0;						\
})

#define readl_poll_timeout(address, value, condition, us, timeout) ({	\
	(value) = readl(address);					\
	(condition) ? 0 : -ETIMEDOUT;					\
})

#endif
