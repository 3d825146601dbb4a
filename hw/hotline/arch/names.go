package arch

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/enum"
)

// Name associates a number with its name in documents, programs and traces.
type Name[N any] struct {
	Number N
	Name   string
}

// Opcodes lists the mnemonics of all commands, the instructions of Table I first.
var Opcodes = names(Opcode.String)

// Statuses lists the descriptions of all statuses of completions.
var Statuses = names(Status.String)

// names returns all values of T in numerical order, each with its text.
func names[T enum.Value](text func(T) string) (list []Name[T]) {
	var zero T
	for _, v := range zero.Enum().Values() {
		list = append(list, Name[T]{T(v.Value), text(T(v.Value))})
	}
	return list
}

// CSRs lists the names of the control and status registers by byte offset.
var CSRs = csrs()

// Array names a group of consecutive s_wr registers, or a single register if Count is 1.
type Array struct {
	First, Count int
	Name         string
}

// Registers lists the registers that s_wr writes, in numerical order.
var Registers = []Array{
	{RegTable, RegSlot - RegTable, "table"}, {RegSlot, RegHot - RegSlot, "slot"}, {RegHot, RegPooled - RegHot, "hot"},
	{RegPooled, RegGrad - RegPooled, "pooled"}, {RegGrad, RegMailbox - RegGrad, "grad"}, {RegMailbox, RegSlots - RegMailbox, "mailbox"},
	{RegSlots, 1, "slots"}, {RegTables, 1, "tables"}, {RegRowLog2, 1, "row_log2"}, {RegGPUs, 1, "gpus"}, {RegScale, 1, "scale"},
}

// named returns the name of a number. A number without a name is formatted as what and its value.
func named[N ~int | ~uint8](list []Name[N], n N, what string) string {
	if i := slices.IndexFunc(list, func(e Name[N]) bool { return e.Number == n }); i >= 0 {
		return list[i].Name
	}
	return fmt.Sprintf("%s %#x", what, uint64(n))
}

// CSRName returns the name of the register at a byte offset.
func CSRName(offset int) string { return named(CSRs, offset, "register") }

// RegisterName returns the name of an s_wr register, such as row_log2 or table[3].
func RegisterName(n int) string {
	for _, a := range Registers {
		switch {
		case n < a.First || n >= a.First+a.Count:
		case a.Count == 1:
			return a.Name
		default:
			return fmt.Sprintf("%s[%d]", a.Name, n-a.First)
		}
	}
	return fmt.Sprintf("register %#x", n)
}
