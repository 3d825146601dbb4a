// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/* The rings: how the card is started and stopped, and how commands run on it. */
#include <linux/bitfield.h>
#include <linux/crc32c.h>
#include <linux/dma-mapping.h>
#include <linux/iopoll.h>
#include <linux/jiffies.h>

#include "hotline.h"

/* How long a command or a reset may take, and how often a lost interrupt is looked for. */
#define HOTLINE_DEADLINE	(10 * HZ)
#define HOTLINE_POLL		(HZ / 50)
/* How long the rest of a completion may take after the driver has seen a part of it. */
#define HOTLINE_PARTIAL		(HZ / 10)
#define HOTLINE_RESET_US	(10 * USEC_PER_SEC)

static u32 hotline_crc(const void *entry, size_t bytes)
{
	return ~crc32c(~0U, entry, bytes);
}

/*
 * Tells whether the card does not answer: a read then gives all ones, or what else is at
 * its address. Only the id cannot be mistaken.
 */
static bool hotline_gone(struct hotline *hl)
{
	return hotline_read(hl, HOTLINE_CSR_ID) != HOTLINE_ID;
}

/**
 * hotline_stop() - reset the card, once what is under way has ended
 * @hl: the card
 *
 * No DMA and no interrupts come after this. What s_wr wrote and the tracker are lost.
 *
 * Return: 0, -ENODEV if the card does not answer, -ETIMEDOUT if it does not finish.
 */
int hotline_stop(struct hotline *hl)
{
	u32 control;
	int err;

	if (hotline_gone(hl))
		return -ENODEV;
	hotline_write(hl, HOTLINE_CSR_CONTROL, HOTLINE_CSR_CONTROL_RESET);
	err = readl_poll_timeout(hl->regs + HOTLINE_CSR_CONTROL, control,
				 !control, 100, HOTLINE_RESET_US);
	return hotline_gone(hl) ? -ENODEV : err;
}

/**
 * hotline_start() - reset the card and give it empty rings
 * @hl: the card
 *
 * The caller holds the lock, or is alone.
 *
 * Return: 0 or a negative error; then the card takes no commands.
 */
int hotline_start(struct hotline *hl)
{
	u32 status;
	int err;

	hl->dead = true;
	err = hotline_stop(hl);
	if (err)
		return err;
	err = readl_poll_timeout(hl->regs + HOTLINE_CSR_STATUS, status,
				 status & HOTLINE_CSR_STATUS_READY, 100, HOTLINE_RESET_US);
	if (err)
		return err;

	/* Phase bits of an earlier life would pass for those of new completions. */
	memset(hl->cq, 0, HOTLINE_ENTRIES * sizeof(*hl->cq));
	hl->tail = 0;
	hl->head = 0;
	hotline_write(hl, HOTLINE_CSR_SQ_BASE_LO, lower_32_bits(hl->sq_dma));
	hotline_write(hl, HOTLINE_CSR_SQ_BASE_HI, upper_32_bits(hl->sq_dma));
	hotline_write(hl, HOTLINE_CSR_SQ_LOG2, HOTLINE_ENTRIES_LOG2);
	hotline_write(hl, HOTLINE_CSR_CQ_BASE_LO, lower_32_bits(hl->cq_dma));
	hotline_write(hl, HOTLINE_CSR_CQ_BASE_HI, upper_32_bits(hl->cq_dma));
	hotline_write(hl, HOTLINE_CSR_CQ_LOG2, HOTLINE_ENTRIES_LOG2);
	hotline_write(hl, HOTLINE_CSR_CONTROL, HOTLINE_CSR_CONTROL_ENABLE);
	hl->dead = false;
	return 0;
}

/* Puts a command into the ring; the doorbell is the caller's. */
static void hotline_submit(struct hotline *hl, const struct hotline_command *command)
{
	struct hotline_command *entry = &hl->sq[hl->tail++ % HOTLINE_ENTRIES];
	u32 crc;

	*entry = *command;
	entry->id = cpu_to_le32(++hl->id);
	crc = hotline_crc(entry, offsetof(struct hotline_command, crc));
	entry->crc = cpu_to_le32(crc) ^ command->crc;
}

/* What there is of the next completion. */
enum hotline_seen {
	HOTLINE_NOTHING,
	HOTLINE_PART,	/* the phase is the ring's, but the CRC does not match */
	HOTLINE_WHOLE,
};

/* Looks for the next completion and copies what is there to @done. */
static enum hotline_seen hotline_look(struct hotline *hl, struct hotline_completion *done)
{
	struct hotline_completion *entry = &hl->cq[hl->head % HOTLINE_ENTRIES];
	u32 status = le32_to_cpu(READ_ONCE(entry->status));

	if (!(status & HOTLINE_COMPLETION_PHASE) != !!(hl->head & HOTLINE_ENTRIES))
		return HOTLINE_NOTHING;
	/* The phase is read before the rest of the entry. */
	dma_rmb();
	*done = *entry;
	if (le32_to_cpu(done->crc) != hotline_crc(done, offsetof(struct hotline_completion, crc)))
		return HOTLINE_PART;
	return HOTLINE_WHOLE;
}

/* Waits for the next completion. One that stays a part is damaged. */
static int hotline_wait(struct hotline *hl, struct hotline_completion *done)
{
	unsigned long deadline = jiffies + HOTLINE_DEADLINE;
	unsigned long damaged = 0;
	enum hotline_seen seen, before = HOTLINE_NOTHING;

	/* The timeout is short: a lost interrupt must not end the run. */
	while (!wait_event_timeout(hl->wait, (seen = hotline_look(hl, done)) == HOTLINE_WHOLE,
				   HOTLINE_POLL)) {
		if (hotline_gone(hl))
			return -ENODEV;
		if (hotline_read(hl, HOTLINE_CSR_STATUS) & HOTLINE_CSR_STATUS_HALTED)
			return -EIO;
		if (seen == HOTLINE_PART && before == HOTLINE_PART && time_after(jiffies, damaged))
			return -EBADMSG;
		if (seen == HOTLINE_PART && before != HOTLINE_PART)
			damaged = jiffies + HOTLINE_PARTIAL;
		before = seen;
		if (time_after(jiffies, deadline))
			return -ETIMEDOUT;
	}
	return 0;
}

/* Takes the next completion, which must be that of command @id. */
static int hotline_take(struct hotline *hl, u32 id, struct hotline_completion *done)
{
	u32 status;
	int err;

	err = hotline_wait(hl, done);
	if (err == -EBADMSG) {
		dev_err(&hl->pdev->dev, "the completion of command %u is damaged\n", id);
		return err;
	}
	if (err) {
		dev_err(&hl->pdev->dev, "command %u is not answered: %d\n", id, err);
		return err;
	}
	hl->head++;
	/* A command that could not be read has no id. */
	status = FIELD_GET(HOTLINE_COMPLETION_STATUS_MASK, le32_to_cpu(done->status));
	if (le32_to_cpu(done->id) != id && status != HOTLINE_STATUS_FETCH) {
		dev_err(&hl->pdev->dev, "completion of command %u, expected %u\n",
			le32_to_cpu(done->id), id);
		return -EPROTO;
	}
	return 0;
}

/**
 * hotline_run() - run commands in their order
 * @hl: the card
 * @commands: heads and operands; the ids are given here. A crc other than 0 damages
 *	the command, for tests.
 * @done: completions, which the caller looks into for statuses
 * @n: how many, up to the entries of a ring
 *
 * The commands go into the ring together, with one doorbell. After a fault nobody
 * knows what the card has done, so it is reset, and loses what s_wr wrote.
 *
 * Return: 0 when all completions are there, or a negative error.
 */
int hotline_run(struct hotline *hl, const struct hotline_command *commands,
		struct hotline_completion *done, unsigned int n)
{
	unsigned int i;
	u32 first;
	int err = 0;

	if (n > HOTLINE_ENTRIES)
		return -EINVAL;
	mutex_lock(&hl->lock);
	if (hl->dead) {
		mutex_unlock(&hl->lock);
		return -ENODEV;
	}
	first = hl->id + 1;
	for (i = 0; i < n; i++)
		hotline_submit(hl, &commands[i]);
	/* writel() orders the entries before the doorbell. */
	hotline_write(hl, HOTLINE_CSR_SQ_TAIL, hl->tail);
	for (i = 0; i < n && !err; i++)
		err = hotline_take(hl, first + i, &done[i]);
	if (!err)
		hotline_write(hl, HOTLINE_CSR_CQ_HEAD, hl->head);
	else if (hotline_start(hl))
		dev_err(&hl->pdev->dev, "the card cannot be started again\n");
	mutex_unlock(&hl->lock);
	return err;
}
