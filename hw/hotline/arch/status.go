package arch

import "github.com/hotline-rtl/hotline/hw/enum"

// Status is the result of a command: a DMAError, or the reason why the command was refused or
// failed.
type Status uint8

const (
	StatusOK        Status = 0
	StatusOpcode    Status = 32
	StatusCRC       Status = 33
	StatusRange     Status = 34
	StatusFetch     Status = 35
	StatusRowsFull  Status = 36
	StatusNoRow     Status = 37
	StatusRowsAhead Status = 38
	StatusNoVector  Status = 39
	StatusNoInputs  Status = 40
	StatusNoAddress Status = 41 // the last status of refused commands
	StatusNoTable   Status = 42
)

// statuses holds the names that programs use, meanings the descriptions for people.
var (
	statuses = enum.New("status", statusNames(), enum.Width(8))
	meanings = map[Status]string{
		StatusOK: "ok", 1: "completion timeout", 2: "parity error", 8: "function-level reset", 9: "poisoned data",
		10: "unsupported request", 11: "completer abort", 12: "data missing",
		StatusOpcode: "unknown opcode", StatusCRC: "bad command CRC", StatusRange: "operand out of range", StatusFetch: "the command could not be read",
		StatusRowsFull: "too many rows are ahead", StatusNoRow: "no row is ahead", StatusRowsAhead: "a row is ahead",
		StatusNoVector: "the vector buffer is empty", StatusNoInputs: "the half does not hold these inputs",
		StatusNoAddress: "an address that the command needs was not written since the reset",
		StatusNoTable:   "the list names a table whose address was not written since the reset",
	}
)

// statusNames returns the names of all statuses. Statuses for DMA errors have the names of the
// errors.
func statusNames() map[Status]string {
	names := map[Status]string{
		StatusOpcode: "bad_opcode", StatusCRC: "bad_crc", StatusRange: "range", StatusFetch: "fetch",
		StatusRowsFull: "rows_full", StatusNoRow: "no_row", StatusRowsAhead: "rows_ahead", StatusNoVector: "no_vector", StatusNoInputs: "no_inputs",
		StatusNoAddress: "no_address", StatusNoTable: "no_table",
	}
	for _, e := range dmaErrors.Values() {
		names[Status(e.Value)] = e.Name
	}
	return names
}

// Enum implements enum.Value.
func (Status) Enum() enum.Set { return statuses }

// String returns the meaning of a status.
func (s Status) String() string {
	if text, ok := meanings[s]; ok {
		return text
	}
	return statuses.Text(uint64(s))
}
