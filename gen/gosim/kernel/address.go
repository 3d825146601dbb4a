package kernel

import (
	"fmt"
	"slices"
)

// away is the register with the address of the part that the model only points to. It is one of the
// registers that gather changes, so a kernel that reads there cannot use it for changes.
const away = "R12"

// again maps the registers that count lanes and bytes of masks to registers that restart in each
// round. They are two of the registers that gather changes.
var again = map[string]string{"CX": "R10", "DX": "R11"}

// index returns a register that counts lanes or bytes of masks, or its variant for a place.
func index(by string, at Place) string {
	if at.Again {
		return again[by]
	}
	return by
}

// Address returns the memory operand of a place: an offset in the model, to which AX points, or in
// a part away.
func Address(at Place) string {
	part := at.Part
	if part == "" {
		part = "state"
	}
	if at.Away {
		return fmt.Sprintf("%s_%s+%d(%s)", part, at.Field, at.Bytes, away)
	}
	return fmt.Sprintf("Model_%[1]s+%[1]s_%[2]s+%[3]d(AX)", part, at.Field, at.Bytes)
}

// away returns the part that the model only points to, or "" if k neither reads nor fetches any.
func (k *Kernel) away() string {
	if k.Next.Turns != "" {
		return k.Next.Turns
	}
	for _, i := range k.Insts {
		for _, at := range []Place{i.At, i.From} {
			if at.Away {
				return at.Part
			}
		}
	}
	return ""
}

// Words returns the memory operand of the present lanes of a place.
func (c *Code) Words(at Place) string {
	at.Bytes += c.First * at.Size / 8
	if c.Looped {
		return fmt.Sprintf("%s(%s*%d)", Address(at), index("CX", at), at.Size/8)
	}
	return Address(at)
}

// Bits returns the memory operand of the present bits of a mask.
func (c *Code) Bits(at Place) string {
	at.Bytes += c.First / 8
	if c.Looped {
		return fmt.Sprintf("%s(%s*1)", Address(at), index("DX", at))
	}
	return Address(at)
}

// Period reports whether the numbers repeat with period n, each time increased by step.
func Period(numbers []int, n int) (step int, ok bool) {
	if len(numbers) <= n {
		return 0, true
	}
	step = numbers[n] - numbers[0]
	for l := n; l < len(numbers); l++ {
		if numbers[l]-numbers[l-n] != step {
			return 0, false
		}
	}
	return step, true
}

// loops reports whether the same instructions can process all vectors of a kernel.
func (c *Code) loops() bool {
	for _, i := range c.Kernel.Insts {
		switch i.Op {
		case Pick:
			if step, ok := Period(i.Numbers, c.Step); !ok || !scalable(step, c.Step) {
				return false
			}
		case PickMask:
			if step, ok := Period(i.Numbers, c.Step); !ok || step%8 != 0 || !scalable(step/8, c.Step/8) {
				return false
			}
		}
	}
	return true
}

// scalable reports whether an index that grows by n can replace an index that grows by step.
func scalable(step, n int) bool {
	return step >= 0 && step%n == 0
}

// Moving returns the memory operand at bytes behind a place that advances by step in each iteration
// of the loop. A register, CX or DX, grows by n per iteration. Moving also returns the instructions
// that must come before.
func (c *Code) Moving(at Place, bytes, step, n int, by string) (before, memory string) {
	index := index(by, at)
	at.Bytes += bytes
	if !c.Looped || step == 0 {
		return "", Address(at)
	}
	scale := step / n
	if !slices.Contains([]int{1, 2, 4, 8}, scale) {
		before = fmt.Sprintf("IMUL3Q $%d, %s, R8\n\t", scale, index)
		scale, index = 1, "R8"
	}
	return before, fmt.Sprintf("%s(%s*%d)", Address(at), index, scale)
}

// ByteMask returns the bits of the present lanes in a byte of a mask.
func (c *Code) ByteMask() int { return (1<<c.Lanes - 1) << (c.First % 8) }

// Suffix returns the letter of instructions on words of size bits.
func Suffix(size int) string { return map[int]string{8: "B", 16: "W", 32: "D", 64: "Q"}[size] }

// LoadBits returns the instruction that loads the bits of a vector of a mask into a general register.
func (c *Code) LoadBits() string {
	return map[int]string{2: "MOVBLZX", 4: "MOVBLZX", 8: "MOVBLZX", 16: "MOVWLZX", 32: "MOVL", 64: "MOVQ"}[c.Lanes]
}

// StoreBits returns the instruction that stores them.
func (c *Code) StoreBits() string {
	return map[int]string{2: "MOVB", 4: "MOVB", 8: "MOVB", 16: "MOVW", 32: "MOVL", 64: "MOVQ"}[c.Lanes]
}
