package cheader

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// field is a field of a word with word bits.
type field struct {
	name            string
	word, high, low int
	about           string
}

var commandFields = []field{
	{"COMMAND_OPCODE", 32, 7, 0, ""},
	{"COMMAND_FLAGS", 32, 15, 8, ""},
	{"COMMAND_LOAD", 32, 8, 8, "v_add: replace the vector"},
	{"COMMAND_HALF", 32, 8, 8, "others: half of the eDRAM"},
}

var slotFields = []field{
	{"SLOT_ID", 64, 31, 0, "row 0 of its table"},
	{"SLOT_TABLE", 64, arch.SlotTableLo + 7, arch.SlotTableLo, ""},
	{"SLOT_FIRST", 64, arch.SlotFirstBit, arch.SlotFirstBit, "of its table"},
	{"SLOT_LAST", 64, arch.SlotLastBit, arch.SlotLastBit, "of its table"},
}

var completionFields = []field{
	{"COMPLETION_STATUS", 32, 7, 0, "one of those below"},
	{"COMPLETION_PHASE", 32, 16, 16, "1 on the first pass, then 0"},
}

// operands describes the operands of commands, with the terms of docs/reference/accelerator.md.
var operands = map[arch.Opcode]string{
	arch.DMARead:  "address; bytes (a row)",
	arch.DMAWrite: "address; bytes (a row)",
	arch.VMul:     "scalar, FP32 bits",
	arch.SWrite:   "register; value",
	arch.GPURead:  "GPU; block number",
	arch.Learn:    "address of the words; inputs n",
	arch.Classify: "address of the words; inputs n; bitmap address",
	arch.Gather:   "-; inputs n",
	arch.Update:   "address of the list; rows n",
	arch.HotSet:   "address",
}

// layout is a struct of little-endian words. member is a member of the struct.
type layout struct {
	name, about string
	members     []member
}

type member struct {
	declaration string
	bytes       int
	about       string
}

var structs = []layout{
	{"command", "An entry of the command ring.", []member{
		{"__le32 head", 4, "opcode and flags"},
		{"__le32 id", 4, "comes back in the completion"},
		{"__le64 operand[3]", 24, ""},
		{"__le32 zero[7]", 28, ""},
		{"__le32 crc", 4, "CRC-32C of the words before"},
	}},
	{"completion", "An entry of the completion ring.", []member{
		{"__le32 id", 4, "of the command"},
		{"__le32 status", 4, "status and phase"},
		{"__le32 value[2]", 8, "count with status 0 only"},
		{"__le32 sq_head", 4, "commands taken, modulo 2^16"},
		{"__le32 sum", 4, "of the CRC-32C of the beats written; counts with status 0 only"},
		{"__le32 zero", 4, ""},
		{"__le32 crc", 4, "CRC-32C of the words before"},
	}},
	{"hot_row", "An entry of the list that hotset writes; all ones behind the last.", []member{
		{"__le32 id", 4, "of the row"},
		{"__le32 block", 4, "its place in each GPU's hot table"},
	}},
	{"update_row", "An entry of the list that update reads.", []member{
		{"__le32 table", 4, ""},
		{"__le32 index", 4, ""},
	}},
}
