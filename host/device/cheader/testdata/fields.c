/* Prints what the header says of sizes, places and fields, for the words in argv. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hotline_regs.h"

#define PLACE(type, member) printf(#type "." #member " %zu\n", offsetof(struct hotline_##type, member))
#define SIZE(type) printf(#type " %zu\n", sizeof(struct hotline_##type))
#define FIELD(name, word) \
	printf(#name " %llu\n", (unsigned long long)(((word) & HOTLINE_##name##_MASK) >> HOTLINE_##name##_SHIFT))
#define BIT(name, word) printf(#name " %d\n", ((word) & HOTLINE_##name) != 0)

/* A command of 64 bytes from standard input. */
static void print_command(void)
{
	struct hotline_command c;

	if (fread(&c, sizeof(c), 1, stdin) != 1)
		exit(1);
	FIELD(COMMAND_OPCODE, c.head);
	FIELD(COMMAND_FLAGS, c.head);
	BIT(COMMAND_LOAD, c.head);
	BIT(COMMAND_HALF, c.head);
	printf("id %u operands %llu %llu %llu crc %08x\n", c.id, (unsigned long long)c.operand[0],
	       (unsigned long long)c.operand[1], (unsigned long long)c.operand[2], c.crc);
}

int main(int argc, char **argv)
{
	unsigned int word[7] = { 0 };
	unsigned long long slot = 0xffull << 32 | 0x01ull << 40 | 77;
	unsigned int status = 0x10022;

	for (int i = 1; i < argc && i <= 7; i++)
		word[i - 1] = strtoul(argv[i], NULL, 0);
	SIZE(command);
	PLACE(command, head);
	PLACE(command, id);
	PLACE(command, operand);
	PLACE(command, zero);
	PLACE(command, crc);
	SIZE(completion);
	PLACE(completion, id);
	PLACE(completion, status);
	PLACE(completion, value);
	PLACE(completion, sq_head);
	PLACE(completion, sum);
	PLACE(completion, crc);
	SIZE(hot_row);
	PLACE(hot_row, id);
	PLACE(hot_row, block);
	SIZE(update_row);
	PLACE(update_row, table);
	PLACE(update_row, index);
	FIELD(CSR_CAPS0_ENGINES_LOG2, word[0]);
	FIELD(CSR_CAPS0_BANKS_LOG2, word[0]);
	FIELD(CSR_CAPS0_BLOCKS_LOG2, word[0]);
	FIELD(CSR_CAPS0_WAYS_LOG2, word[0]);
	FIELD(CSR_CAPS1_STREAM_BYTES, word[1]);
	FIELD(CSR_CAPS1_TAGS, word[1]);
	FIELD(CSR_CAPS2_HALF_WORDS, word[2]);
	FIELD(CSR_CAPS3_SLOTS, word[3]);
	FIELD(CSR_CAPS3_TABLES, word[3]);
	FIELD(CSR_CAPS4_ID_BITS, word[4]);
	FIELD(CSR_CAPS4_GPUS, word[4]);
	FIELD(CSR_CAPS4_VECTOR_VALUES, word[4]);
	BIT(CSR_CONTROL_ENABLE, word[5]);
	BIT(CSR_CONTROL_RESET, word[5]);
	BIT(CSR_STATUS_BUSY, word[6]);
	BIT(CSR_STATUS_READY, word[6]);
	BIT(CSR_STATUS_HALTED, word[6]);
	BIT(CSR_STATUS_OVERRUN, word[6]);
	FIELD(SLOT_ID, slot);
	FIELD(SLOT_TABLE, slot);
	BIT(SLOT_FIRST, slot);
	BIT(SLOT_LAST, slot);
	FIELD(COMPLETION_STATUS, status);
	BIT(COMPLETION_PHASE, status);
	print_command();
	return 0;
}
