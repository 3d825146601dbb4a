/* SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0 */
#ifndef HOTLINE_H
#define HOTLINE_H

#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "hotline_regs.h"

/* Entries of each ring. The phase bit is found by it, so it is a power of two. */
#define HOTLINE_ENTRIES_LOG2	6
#define HOTLINE_ENTRIES		(1U << HOTLINE_ENTRIES_LOG2)

/**
 * struct hotline - a card
 * @pdev: its PCI function
 * @regs: its registers
 * @engines: lookup engines
 * @blocks: blocks of the tracker, and places in a hot table
 * @selftest: held by a self-test
 * @lock: held by who uses the rings or resets the card
 * @wait: woken by the interrupt
 * @sq: command ring, written by the driver
 * @cq: completion ring, written by the card
 * @sq_dma: where the card finds @sq
 * @cq_dma: where the card finds @cq
 * @tail: commands submitted, modulo 2^16
 * @head: completions taken, modulo 2^16
 * @id: that of the command submitted last
 * @dead: the card could not be started again after a fault
 */
struct hotline {
	struct pci_dev *pdev;
	void __iomem *regs;
	unsigned int engines;
	unsigned int blocks;
	struct mutex selftest;
	struct mutex lock;
	wait_queue_head_t wait;
	struct hotline_command *sq;
	struct hotline_completion *cq;
	dma_addr_t sq_dma;
	dma_addr_t cq_dma;
	u16 tail;
	u16 head;
	u32 id;
	bool dead;
};

static inline u32 hotline_read(struct hotline *hl, unsigned int reg)
{
	return readl(hl->regs + reg);
}

static inline void hotline_write(struct hotline *hl, unsigned int reg, u32 value)
{
	writel(value, hl->regs + reg);
}

int hotline_start(struct hotline *hl);
int hotline_stop(struct hotline *hl);
int hotline_run(struct hotline *hl, const struct hotline_command *commands,
		struct hotline_completion *done, unsigned int n);
int hotline_selftest(struct hotline *hl);

#endif /* HOTLINE_H */
