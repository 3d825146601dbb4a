/* hotline_ring.c with a card that writes each completion in two pieces. The arguments
 * are: where it is cut, in bytes; whether the upper piece comes first; how many jiffies
 * lie between the pieces, or -1 for ever; how many commands run; a bit of each completion
 * that is flipped, or -1; whether this is done before its CRC is computed; and a bit of the
 * CRC of each command that is flipped, or -1. Operands are random, and the card checks the
 * CRC of each command. Prints the result of the last hotline_run(), the completions that it
 * took, and the time of all. */
#include <stdlib.h>

#include "hotline_ring.c"

unsigned long jiffies = -100UL; /* wraps in the test */

static struct hotline hl;
static u8 registers[HOTLINE_BAR_BYTES];
static struct hotline_command sq[HOTLINE_ENTRIES];
static struct hotline_completion cq[HOTLINE_ENTRIES];
static struct pci_dev pdev;

static int cut, upper_first, between, resets, flip, is_signed;
static u16 head;		/* commands that have begun */
static bool half;		/* the first piece of completion head - 1 is there */
static unsigned long at;	/* the time of the second piece */

u32 crc32c(u32 crc, const void *bytes, size_t n)
{
	const u8 *p = bytes;
	int bit;

	while (n--) {
		crc ^= *p++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (0x82f63b78 & -(crc & 1));
	}
	return crc;
}

u32 readl(const void *address)
{
	u32 v;

	memcpy(&v, address, sizeof(v));
	return v;
}

void writel(u32 value, void *address)
{
	size_t offset = (size_t)((u8 *)address - registers);

	if (offset == HOTLINE_CSR_CONTROL && value == HOTLINE_CSR_CONTROL_RESET) {
		resets++;
		head = 0;
		half = false;
		value = 0;
	}
	memcpy(address, &value, sizeof(value));
}

static void flip_bit(void *bytes, int bit)
{
	if (bit >= 0)
		((u8 *)bytes)[bit / 8] ^= 1 << bit % 8;
}

/* Writes a piece of the completion of the command before head. */
static void piece(bool upper)
{
	u16 index = head - 1;
	struct hotline_command *command = &sq[index % HOTLINE_ENTRIES];
	struct hotline_completion c = { .id = command->id, .sq_head = head };
	size_t from = upper ? (size_t)cut : 0, to = upper ? sizeof(c) : (size_t)cut;

	if (!(index & HOTLINE_ENTRIES))
		c.status = HOTLINE_COMPLETION_PHASE;
	if (command->crc != ~crc32c(~0U, command, offsetof(struct hotline_command, crc)))
		c.status |= HOTLINE_STATUS_BAD_CRC;
	c.value[0] = 0x5a5a0000 + index;
	if (is_signed)
		flip_bit(&c, flip);
	c.crc = ~crc32c(~0U, &c, offsetof(struct hotline_completion, crc));
	if (!is_signed)
		flip_bit(&c, flip);
	memcpy((u8 *)&cq[index % HOTLINE_ENTRIES] + from, (u8 *)&c + from, to - from);
}

/* The card: it begins a command, or ends the one that it has begun. */
static void card(void)
{
	if (half) {
		if (between >= 0 && !time_after(at, jiffies)) {
			piece(!upper_first);
			half = false;
		}
		return;
	}
	if (head == (u16)readl(registers + HOTLINE_CSR_SQ_TAIL))
		return;
	head++;
	piece(upper_first);
	half = true;
	at = jiffies + (unsigned long)between;
}

void sleep_a_jiffy(void)
{
	jiffies++;
	card();
}

int main(int argc, char **argv)
{
	struct hotline_command fence = { .head = HOTLINE_OP_FENCE };
	struct hotline_completion done;
	unsigned long start = jiffies;
	int i, n, spoilt, err = 0;
	size_t at_byte;

	if (argc != 8)
		return 2;
	cut = atoi(argv[1]);
	upper_first = atoi(argv[2]);
	between = atoi(argv[3]);
	n = atoi(argv[4]);
	flip = atoi(argv[5]);
	is_signed = atoi(argv[6]);
	spoilt = atoi(argv[7]);
	if (spoilt >= 0)
		fence.crc = 1U << spoilt;
	hl.pdev = &pdev;
	hl.regs = registers;
	hl.sq = sq;
	hl.cq = cq;
	writel(HOTLINE_ID, registers + HOTLINE_CSR_ID);
	writel(HOTLINE_CSR_STATUS_READY, registers + HOTLINE_CSR_STATUS);
	if (hotline_start(&hl))
		return 3;
	resets = 0;
	for (i = 0; i < n && !err; i++) {
		for (at_byte = 0; at_byte < sizeof(fence.operand); at_byte++)
			((u8 *)fence.operand)[at_byte] = (u8)rand();
		err = hotline_run(&hl, &fence, &done, 1);
		if (!err && (done.status & HOTLINE_COMPLETION_STATUS_MASK) != HOTLINE_STATUS_OK) {
			printf("command %d has status %u\n", i, done.status & HOTLINE_COMPLETION_STATUS_MASK);
			return 0;
		}
		if (!err && done.value[0] != 0x5a5a0000U + (u16)i) {
			printf("completion %d has the value %x\n", i, done.value[0]);
			return 4;
		}
	}
	printf("%d after %d commands, %lu jiffies, %d resets\n", err, i, jiffies - start, resets);
	return 0;
}
