package address

import (
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Number returns the number of a register as a constant with the register's name, such as REG_SCALE.
func Number(register int) hw.Bits { return hw.NamedHex("reg_"+name(register), register) }

// Group returns the number of the first register of an array divided by size, the number of
// registers that the numbering reserves for the array.
func Group(first, size int) hw.Bits {
	return hw.NamedHex(fmt.Sprintf("reg_%s_div%d", name(first), size), first/size)
}

// name returns the name of a register without an index.
func name(register int) string {
	array, _, _ := strings.Cut(arch.RegisterName(register), "[")
	return array
}
