// SPDX-License-Identifier: GPL-2.0-only OR Apache-2.0
/*
 * One command of each kind, with small whole numbers, so that all results are known.
 *
 * There is one table of 16 rows, and every input has the same number of lookups in it.
 * Rows 0 to 7 become hot. GPU memory is host memory here: the card does not care whose
 * an address is.
 */
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "hotline.h"

#define ROW_LOG2	6
#define ROW_BYTES	(1 << ROW_LOG2)
#define VALUES		(ROW_BYTES / 4)
#define HOT		8
#define ROWS		(2 * HOT)
#define INPUTS		8
#define POPULAR		4
#define MAX_SLOTS	64
#define UPDATES		4

#define MINUS_ONE	0xbf800000	/* as FP32 */

/* What the card reads and writes, in one piece of memory. */
struct area {
	__le32 table[ROWS][VALUES];
	__le32 words[INPUTS * MAX_SLOTS];
	struct hotline_hot_row hot[HOT];
	struct hotline_update_row updates[UPDATES];
	__le32 grads[UPDATES][VALUES];
	__le32 pooled[INPUTS][VALUES];
	__le32 vector[VALUES];
	u8 bitmap[64];
	u8 mailbox[64];
};

#define AT(t, member)	((t)->dma + offsetof(struct area, member))

/**
 * struct selftest - a run
 * @hl: the card
 * @dev: the card's device, for the log and for memory
 * @slots: lookups of each input
 * @area: memory
 * @dma: where the card finds @area
 * @hot_bytes: size of @hot_table
 * @hot_table: the hot rows of the one GPU
 * @hot_dma: where the card finds @hot_table
 * @done: the latest completion
 */
struct selftest {
	struct hotline *hl;
	struct device *dev;
	unsigned int slots;
	struct area *area;
	dma_addr_t dma;
	size_t hot_bytes;
	__le32 (*hot_table)[VALUES];
	dma_addr_t hot_dma;
	struct hotline_completion done;
};

/* A whole number below 2^24 as FP32; there is no floating point in the kernel. */
static __le32 fp32(u32 n)
{
	unsigned int exponent = n ? fls(n) - 1 : 0;

	return cpu_to_le32(n ? (127 + exponent) << 23 | (n << (23 - exponent) & 0x7fffff) : 0);
}

/* Value k of row r of the table, before any update. */
static u32 value(unsigned int r, unsigned int k)
{
	return r * VALUES + k + 1;
}

/* The row that lookup s of input i is for. Inputs that are not popular have a cold one. */
static u32 lookup(unsigned int i, unsigned int s, bool learning)
{
	return i >= POPULAR && s == 0 && !learning ? HOT + i - POPULAR : (i + s) % HOT;
}

static struct hotline_command command(u8 opcode, u8 flags, u64 a, u64 b, u64 c)
{
	return (struct hotline_command) {
		.head = cpu_to_le32(FIELD_PREP(HOTLINE_COMMAND_OPCODE_MASK, opcode) |
				    FIELD_PREP(HOTLINE_COMMAND_FLAGS_MASK, flags)),
		.operand = { cpu_to_le64(a), cpu_to_le64(b), cpu_to_le64(c) },
	};
}

static u8 status(const struct hotline_completion *done)
{
	return FIELD_GET(HOTLINE_COMPLETION_STATUS_MASK, le32_to_cpu(done->status));
}

static u32 result(struct selftest *t, unsigned int i)
{
	return le32_to_cpu(t->done.value[i]);
}

/* Reports what is not as it should be. */
static int check(struct selftest *t, bool good, const char *what)
{
	if (good)
		return 0;
	dev_err(t->dev, "selftest: %s: not as expected\n", what);
	return -EIO;
}

/* Runs a command that must succeed. */
static int run(struct selftest *t, const char *name, struct hotline_command c)
{
	int err;

	err = hotline_run(t->hl, &c, &t->done, 1);
	if (err)
		return err;
	if (status(&t->done) == HOTLINE_STATUS_OK)
		return 0;
	dev_err(t->dev, "selftest: %s: status %u\n", name, status(&t->done));
	return -EIO;
}

static int set(struct selftest *t, u32 reg, u64 v)
{
	return run(t, "s_wr", command(HOTLINE_OP_S_WR, 0, reg, v, 0));
}

/* s_wr: where everything is, and which slots there are. */
static int test_registers(struct selftest *t)
{
	const struct {
		u32 reg;
		u64 value;
	} registers[] = {
		{ HOTLINE_REG_TABLE(0), AT(t, table) },
		{ HOTLINE_REG_HOT(0), t->hot_dma },
		{ HOTLINE_REG_POOLED(0), AT(t, pooled) },
		{ HOTLINE_REG_GRAD(0), AT(t, grads) },
		{ HOTLINE_REG_MAILBOX(0), AT(t, mailbox) },
		{ HOTLINE_REG_SLOTS, t->slots },
		{ HOTLINE_REG_TABLES, 1 },
		{ HOTLINE_REG_ROW_LOG2, ROW_LOG2 },
		{ HOTLINE_REG_GPUS, 1 },
		{ HOTLINE_REG_SCALE, MINUS_ONE },
	};
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(registers) && !err; i++)
		err = set(t, registers[i].reg, registers[i].value);
	for (i = 0; i < t->slots && !err; i++)
		err = set(t, HOTLINE_REG_SLOT(i), (i == 0 ? HOTLINE_SLOT_FIRST : 0) |
						  (i == t->slots - 1 ? HOTLINE_SLOT_LAST : 0));
	if (!err)
		dev_info(t->dev, "s_wr: %zu registers written\n",
			 ARRAY_SIZE(registers) + t->slots);
	return err;
}

static void write_lookups(struct selftest *t, bool learning)
{
	unsigned int i, s;

	for (i = 0; i < INPUTS; i++)
		for (s = 0; s < t->slots; s++)
			t->area->words[i * t->slots + s] = cpu_to_le32(lookup(i, s, learning));
}

/* learn: the tracker sees the lookups. hotset: it tells which rows it holds, and where. */
static int test_tracker(struct selftest *t)
{
	unsigned int i, k;
	int err;

	write_lookups(t, true);
	err = run(t, "learn", command(HOTLINE_OP_LEARN, 0, AT(t, words), INPUTS, 0));
	if (err)
		return err;
	dev_info(t->dev, "learn: %u lookups\n", result(t, 0));
	err = check(t, result(t, 0) == INPUTS * t->slots, "learn");
	if (err)
		return err;

	err = run(t, "hotset", command(HOTLINE_OP_HOTSET, 0, AT(t, hot), 0, 0));
	if (err)
		return err;
	dev_info(t->dev, "hotset: %u rows\n", result(t, 0));
	err = check(t, result(t, 0) == HOT, "hotset");
	for (i = 0; i < HOT && !err; i++) {
		u32 id = le32_to_cpu(t->area->hot[i].id);
		u32 block = le32_to_cpu(t->area->hot[i].block);

		err = check(t, id < HOT && block < t->hot_bytes / ROW_BYTES, "a hot row");
		for (k = 0; k < VALUES && !err; k++)
			t->hot_table[block][k] = fp32(value(id, k));
	}
	return err;
}

/* The other commands of Table I, in one batch: 3 times a cold row, plus a hot one. */
static int test_arithmetic(struct selftest *t)
{
	u32 hot = le32_to_cpu(t->area->hot[0].id);
	u32 block = le32_to_cpu(t->area->hot[0].block);
	const char * const names[] = { "dma_rd", "gpu_rd", "v_mul", "v_add", "dma_wr" };
	struct hotline_command c[] = {
		command(HOTLINE_OP_DMA_RD, 0, AT(t, table[HOT]), ROW_BYTES, 0),
		command(HOTLINE_OP_GPU_RD, 0, 0, block, 0),
		command(HOTLINE_OP_V_MUL, 0, le32_to_cpu(fp32(3)), 0, 0),
		command(HOTLINE_OP_V_ADD, 0, 0, 0, 0),
		command(HOTLINE_OP_DMA_WR, 0, AT(t, vector), ROW_BYTES, 0),
	};
	struct hotline_completion done[ARRAY_SIZE(c)];
	unsigned int i;
	int err;

	err = hotline_run(t->hl, c, done, ARRAY_SIZE(c));
	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(c); i++) {
		dev_info(t->dev, "%s: status %u\n", names[i], status(&done[i]));
		err = check(t, status(&done[i]) == HOTLINE_STATUS_OK, names[i]);
		if (err)
			return err;
	}
	for (i = 0; i < VALUES && !err; i++)
		err = check(t, t->area->vector[i] == fp32(3 * value(HOT, i) + value(hot, i)),
			    "the vector");
	return err;
}

/* classify: which inputs have hot rows only. The GPU's mailbox is told, too. */
static int test_classify(struct selftest *t)
{
	int err;

	write_lookups(t, false);
	err = run(t, "classify",
		  command(HOTLINE_OP_CLASSIFY, 0, AT(t, words), INPUTS, AT(t, bitmap)));
	if (err)
		return err;
	dev_info(t->dev, "classify: %u of %u inputs are popular, bitmap %02x\n",
		 result(t, 0), INPUTS, t->area->bitmap[0]);
	return check(t, result(t, 0) == POPULAR && result(t, 1) == INPUTS * t->slots &&
		     t->area->bitmap[0] == 0x0f && t->area->mailbox[0] == 0x0f, "classify");
}

/* gather: the rows of the other inputs are added up, for the GPU. */
static int test_gather(struct selftest *t)
{
	unsigned int i, k, s;
	int err;

	err = run(t, "gather", command(HOTLINE_OP_GATHER, 0, 0, INPUTS, 0));
	if (err)
		return err;
	dev_info(t->dev, "gather: %u rows from GPUs, %u from host memory\n",
		 result(t, 0), result(t, 1));
	err = check(t, result(t, 1) == INPUTS - POPULAR &&
		    result(t, 0) == (INPUTS - POPULAR) * (t->slots - 1), "gather");
	for (i = POPULAR; i < INPUTS && !err; i++) {
		for (k = 0; k < VALUES && !err; k++) {
			u32 sum = 0;

			for (s = 0; s < t->slots; s++)
				sum += value(lookup(i, s, false), k);
			err = check(t, t->area->pooled[i - POPULAR][k] == fp32(sum),
				    "a pooled vector");
		}
	}
	return err;
}

/* update: the first cold rows minus their gradients, which are all 1. */
static int test_update(struct selftest *t)
{
	unsigned int r, k;
	int err;

	for (r = 0; r < UPDATES; r++) {
		t->area->updates[r].index = cpu_to_le32(HOT + r);
		for (k = 0; k < VALUES; k++)
			t->area->grads[r][k] = fp32(1);
	}
	err = run(t, "update", command(HOTLINE_OP_UPDATE, 0, AT(t, updates), UPDATES, 0));
	if (err)
		return err;
	dev_info(t->dev, "update: %u rows\n", result(t, 0));
	err = check(t, result(t, 0) == UPDATES, "update");
	for (r = 0; r < ROWS && !err; r++) {
		u32 less = r >= HOT && r < HOT + UPDATES;

		for (k = 0; k < VALUES && !err; k++)
			err = check(t, t->area->table[r][k] == fp32(value(r, k) - less),
				    "a row after update");
	}
	return err;
}

/* fence: everything before it is done. */
static int test_fence(struct selftest *t)
{
	int err;

	err = run(t, "fence", command(HOTLINE_OP_FENCE, 0, 0, 0, 0));
	if (!err)
		dev_info(t->dev, "fence: status %u\n", status(&t->done));
	return err;
}

/* Commands that the card must refuse; they change nothing, and the card goes on. */
static int test_refusals(struct selftest *t)
{
	static const struct {
		const char *name;
		u8 status;
		u32 damage;
		u8 opcode;
		u64 operand[2];
	} refusals[] = {
		{ "an unknown opcode", HOTLINE_STATUS_BAD_OPCODE, 0, 0x7f },
		{ "a damaged command", HOTLINE_STATUS_BAD_CRC, 1, HOTLINE_OP_FENCE },
		{ "s_wr of no register", HOTLINE_STATUS_RANGE, 0, HOTLINE_OP_S_WR, { 0x300, 1 } },
		{ "dma_rd of half a row", HOTLINE_STATUS_RANGE, 0,
		  HOTLINE_OP_DMA_RD, { 0, ROW_BYTES / 2 } },
		{ "v_add without a row", HOTLINE_STATUS_NO_ROW, 0, HOTLINE_OP_V_ADD },
		{ "dma_wr of no vector", HOTLINE_STATUS_NO_VECTOR, 0,
		  HOTLINE_OP_DMA_WR, { 0, ROW_BYTES } },
		{ "gather of no inputs", HOTLINE_STATUS_NO_INPUTS, 0,
		  HOTLINE_OP_GATHER, { 0, INPUTS } },
	};
	unsigned int i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(refusals) && !err; i++) {
		struct hotline_command c = command(refusals[i].opcode, 0, refusals[i].operand[0],
						   refusals[i].operand[1], 0);

		c.crc = cpu_to_le32(refusals[i].damage);
		err = hotline_run(t->hl, &c, &t->done, 1);
		if (err)
			break;
		dev_info(t->dev, "refused: %s: status %u\n", refusals[i].name,
			 status(&t->done));
		err = check(t, status(&t->done) == refusals[i].status, refusals[i].name);
	}
	return err;
}

static int (* const tests[])(struct selftest *t) = {
	test_registers, test_tracker, test_arithmetic, test_classify,
	test_gather, test_update, test_fence, test_refusals,
};

/* Resets the card: its tracker tells hotset only what has changed, and the next test wants all. */
static int forget(struct hotline *hl)
{
	int err;

	mutex_lock(&hl->lock);
	err = hotline_start(hl);
	mutex_unlock(&hl->lock);
	return err;
}

static int test_all(struct selftest *t)
{
	unsigned int i, k;
	int err = 0;

	for (i = 0; i < ROWS; i++)
		for (k = 0; k < VALUES; k++)
			t->area->table[i][k] = fp32(value(i, k));
	for (i = 0; i < ARRAY_SIZE(tests) && !err; i++)
		err = tests[i](t);
	return err ? err : forget(t->hl);
}

/**
 * hotline_selftest() - run one command of each kind and check what it does
 * @hl: the card
 *
 * What each command did is told in the kernel log. The card is reset at the
 * end, and what s_wr wrote and the tracker are lost.
 *
 * Return: 0, -EIO if a result is wrong, or another negative error.
 */
int hotline_selftest(struct hotline *hl)
{
	struct selftest t = { .hl = hl, .dev = &hl->pdev->dev };
	int err = -ENOMEM;

	/* An input has at least as many lookups as a quarter of the engines. */
	t.slots = max(2U, hl->engines / 4);
	t.hot_bytes = (size_t)hl->blocks * ROW_BYTES;
	t.area = dma_alloc_coherent(t.dev, sizeof(*t.area), &t.dma, GFP_KERNEL);
	if (!t.area)
		return err;
	t.hot_table = dma_alloc_coherent(t.dev, t.hot_bytes, &t.hot_dma, GFP_KERNEL);
	if (t.hot_table) {
		mutex_lock(&hl->selftest);
		err = test_all(&t);
		mutex_unlock(&hl->selftest);
		dma_free_coherent(t.dev, t.hot_bytes, t.hot_table, t.hot_dma);
	}
	dma_free_coherent(t.dev, sizeof(*t.area), t.area, t.dma);
	if (!err)
		dev_info(t.dev, "selftest: passed\n");
	return err;
}
