package kernel

import (
	"fmt"
)

// Reg is a virtual register: a vector or a mask.
type Reg int

// NoReg is no register.
const NoReg Reg = -1

// instr is a machine instruction. {0} in its text is the first register that it reads, {d} the
// register that it sets, and {d:Z} the same register by its longest name.
type instr struct {
	text  string
	uses  []Reg
	def   Reg
	tied  bool // the first register read is also the result
	pure  bool // it can be repeated at any time
	until int  // instruction after which it cannot be repeated; 0 for no limit
	part  part // whether it begins or ends a part that may be skipped
}

// again reports whether i can be repeated whenever its result is needed.
func (i instr) again() bool { return i.pure && len(i.uses) == 0 }

// part specifies whether an instruction begins or ends a part of the code that may be skipped.
type part uint8

const (
	begins part = iota + 1
	ends
)

// Code collects the instructions of a kernel for a target, for one vector of lanes at a time. The
// Selector of the target appends them.
//
// Instructions are text of Go assembly. {0} is the first register that the instruction reads, {1}
// the next one, and {d} the register that it sets. {d:Z} names the same register as a vector with
// that letter. An instruction may use the general registers R8, R9 and Spare as scratch registers.
// AX points to the model; CX and DX count lanes and bytes of masks.
type Code struct {
	Kernel *Kernel
	Width  int  // bits of a vector of the widest words
	Lanes  int  // of such a vector
	First  int  // lane of the present vector
	Step   int  // lanes per iteration of the loop
	Looped bool // the kernel has a loop: all vectors share the same instructions
	Size   int  // bits of the words of the present instruction

	target Target
	on     Features // of the target
	a      *Assembly
	code   []instr
	kinds  []string // letters of registers
	of     map[Value]Reg
	fixed  map[string]Reg  // registers of values that never change, by the instruction that sets them
	loads  map[Place][]int // instructions that load a place
	uses   []int           // number of uses of each value
	totals []int           // groups of changes of words, by accumulator
	unions []int           // of masks
	err    error
}

// Label returns a label that is unique to this target, because a function has a body for each
// target.
func (c *Code) Label(name string) string { return name + c.target.Name() }

// letter returns the letter of registers for vectors of words of the present size.
func (c *Code) letter() string { return letter(c.Lanes * c.Size) }

// masks is the letter of registers for masks.
const masks = "K"

// letter returns the letter of registers for vectors of the given number of bits.
func letter(bits int) string {
	switch {
	case bits <= 128:
		return "X"
	case bits == 256:
		return "Y"
	}
	return "Z"
}

// fresh returns an unused register.
func (c *Code) fresh(kind string) Reg {
	c.kinds = append(c.kinds, kind)
	return Reg(len(c.kinds) - 1)
}

// Emit appends an instruction and returns the register that it sets: a vector of words of the present size.
func (c *Code) Emit(text string, uses ...Reg) Reg { return c.emit(c.letter(), false, text, uses) }

// EmitMask appends an instruction and returns the register that it sets: a mask.
func (c *Code) EmitMask(text string, uses ...Reg) Reg { return c.emit(masks, false, text, uses) }

// Load emits an instruction that reads no registers. Its result is reloaded instead of being
// spilled.
func (c *Code) Load(text string) Reg { return c.emit(c.letter(), true, text, nil) }

// LoadMask is like Load, for a mask.
func (c *Code) LoadMask(text string) Reg { return c.emit(masks, true, text, nil) }

func (c *Code) emit(kind string, pure bool, text string, uses []Reg) Reg {
	d := c.fresh(kind)
	c.code = append(c.code, instr{text: text, uses: uses, def: d, pure: pure})
	return d
}

// Once is like Load, for a result that nothing may change. The same text gives the same register.
func (c *Code) Once(text string) Reg { return c.once(c.Load, text) }

// OnceMask is like Once, for a mask.
func (c *Code) OnceMask(text string) Reg { return c.once(c.LoadMask, text) }

func (c *Code) once(load func(text string) Reg, text string) Reg {
	key := c.letter() + text
	r, ok := c.fixed[key]
	if !ok {
		r = load(text)
		c.fixed[key] = r
	}
	return r
}

// NoteLoad records that the last instruction loads a place.
func (c *Code) NoteLoad(at Place) {
	at.Size = 0
	c.loads[at] = append(c.loads[at], len(c.code)-1)
}

// NoteStore records that the next instruction stores to a place. Earlier loads of the place cannot
// be repeated.
func (c *Code) NoteStore(at Place) {
	at.Size = 0
	for _, n := range c.loads[at] {
		c.code[n].until = len(c.code)
	}
	delete(c.loads, at)
}

// Loaded reports whether a place still contains the value that was loaded from it.
func (c *Code) Loaded(at Place) bool { return c.loads[at] != nil }

// BeginPart begins a part of the code that may be skipped, with an instruction that jumps to its
// end.
func (c *Code) BeginPart(text string, uses ...Reg) {
	c.code = append(c.code, instr{text: text, uses: uses, def: NoReg, part: begins})
}

// EndPart ends such a part, with a label.
func (c *Code) EndPart(text string) {
	c.code = append(c.code, instr{text: text, def: NoReg, part: ends})
}

// Effect appends an instruction without a result.
func (c *Code) Effect(text string, uses ...Reg) {
	c.code = append(c.code, instr{text: text, uses: uses, def: NoReg})
}

// Change appends an instruction that modifies its first operand, and returns the register of the
// result.
func (c *Code) Change(text string, uses ...Reg) Reg {
	d := c.fresh(c.kinds[uses[0]])
	c.code = append(c.code, instr{text: text, uses: uses, def: d, tied: true})
	return d
}

// Get returns the register of a value.
func (c *Code) Get(v Value) Reg {
	if i := c.Kernel.Insts[v]; i.Op == Const {
		return c.Number(i.Imm)
	}
	return c.of[v]
}

// Set records the register of a value.
func (c *Code) Set(v Value, r Reg) { c.of[v] = r }

// Uses returns how many operands refer to a value.
func (c *Code) Uses(v Value) int { return c.uses[v] }

// Fail records why the target does not support the kernel.
func (c *Code) Fail(err error) { c.err = err }

// Number returns a register with the same number in each lane.
func (c *Code) Number(x uint64) Reg {
	if x == 0 {
		return c.Once(c.on.Xor + " {d}, {d}, {d}")
	}
	return c.Once(fmt.Sprintf("VPBROADCAST%s %s, {d}", Suffix(c.Size), c.a.constant(x, c.Size)))
}

// Numbers returns a register with the given numbers, one for each lane.
func (c *Code) Numbers(numbers []int) Reg {
	at, each := c.a.table(c.packed(numbers)), c.Size/8
	if c.Looped {
		return c.Load(fmt.Sprintf("LEAQ %s, R8\n\t%s (R8)(CX*%d), {d}", tableAt(at+c.First*each), c.on.Move, each))
	}
	return c.Load(fmt.Sprintf("%s %s, {d}", c.on.Move, tableAt(at+c.First*each)))
}

// packed returns numbers as words of the present size.
func (c *Code) packed(numbers []int) []byte {
	each := c.Size / 8
	bytes := make([]byte, 0, len(numbers)*each)
	for _, n := range numbers {
		for i := range each {
			bytes = append(bytes, byte(uint64(n)>>(8*i)))
		}
	}
	return bytes
}

// Table returns the memory operand of a table of words of the present size.
func (c *Code) Table(numbers []int) string { return c.Bytes(c.packed(numbers)) }

// Bytes returns the memory operand of a table.
func (c *Code) Bytes(table []byte) string { return tableAt(c.a.table(table)) }

// Literal returns the memory operand of 64 bits with x in each word of a size.
func (c *Code) Literal(x uint64, size int) string { return c.a.constant(x, size) }
