package cheader

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// field is a part of a word.
type field struct {
	name      string
	word      int // bits of the word
	low, bits int
	about     string
}

var csrFields = []field{
	{"CSR_CAPS0_ENGINES_LOG2", 32, 0, 8, "lookup engines"},
	{"CSR_CAPS0_BANKS_LOG2", 32, 8, 8, "banks of the tracker"},
	{"CSR_CAPS0_BLOCKS_LOG2", 32, 16, 8, "blocks of the tracker"},
	{"CSR_CAPS0_WAYS_LOG2", 32, 24, 8, "blocks of a set"},
	{"CSR_CAPS1_STREAM_BYTES", 32, 0, 16, "shortest row, in bytes"},
	{"CSR_CAPS1_TAGS", 32, 16, 16, "most rows ahead"},
	{"CSR_CAPS2_HALF_WORDS", 32, 0, 32, "words of a half of the eDRAM"},
	{"CSR_CAPS3_SLOTS", 32, 0, 16, "most lookups of an input"},
	{"CSR_CAPS3_TABLES", 32, 16, 16, "most tables"},
	{"CSR_CAPS4_ID_BITS", 32, 0, 8, "bits of a row id"},
	{"CSR_CAPS4_GPUS", 32, 8, 8, "most GPUs"},
	{"CSR_CAPS4_VECTOR_VALUES", 32, 16, 16, "longest row, in FP32 values"},
	{"CSR_CONTROL_ENABLE", 32, arch.ControlEnableBit, 1, "commands are fetched"},
	{"CSR_CONTROL_RESET", 32, arch.ControlResetBit, 1, "1 until the reset is done"},
	{"CSR_STATUS_BUSY", 32, arch.StatusBusyBit, 1, "a command is under way"},
	{"CSR_STATUS_READY", 32, arch.StatusReadyBit, 1, "tracker is cleared after reset"},
	{"CSR_STATUS_HALTED", 32, arch.StatusHaltedBit, 1, "a completion was not written"},
	{"CSR_STATUS_OVERRUN", 32, arch.StatusOverrunBit, 1, "sq_tail is beyond the ring"},
}

var commandFields = []field{
	{"COMMAND_OPCODE", 32, 0, 8, ""},
	{"COMMAND_FLAGS", 32, 8, 8, ""},
	{"COMMAND_LOAD", 32, 8, 1, "v_add: replace the vector"},
	{"COMMAND_HALF", 32, 8, 1, "others: half of the eDRAM"},
}

var slotFields = []field{
	{"SLOT_ID", 64, 0, 32, "row 0 of its table"},
	{"SLOT_TABLE", 64, arch.SlotTableLo, 8, ""},
	{"SLOT_FIRST", 64, arch.SlotFirstBit, 1, "of its table"},
	{"SLOT_LAST", 64, arch.SlotLastBit, 1, "of its table"},
}

var completionFields = []field{
	{"COMPLETION_STATUS", 32, 0, 8, "one of those below"},
	{"COMPLETION_PHASE", 32, 16, 1, "1 on the first pass, then 0"},
}

// operands of the commands that have some, in the words of docs/accelerator.md.
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

// layout is a struct of little-endian words; member is a part of it.
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
