package asm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// operand is an operand of a mnemonic.
type operand struct {
	name string
	form form
	at   func(c *arch.Command) *uint64 // nil for flags
}

// form is the syntax of an operand.
type form uint8

const (
	number   form = iota // sum of numbers and names
	register             // register of s_wr, by name
	value                // value of s_wr: a number, or a float for a floating-point register
	float                // FP32
	half                 // 0 or 1, in the flags
	load                 // the word load, or nothing, in the flags
)

func first(c *arch.Command) *uint64  { return &c.Operand1 }
func second(c *arch.Command) *uint64 { return &c.Operand2 }
func third(c *arch.Command) *uint64  { return &c.Operand3 }

// syntax lists the operands of all commands, in order.
var syntax = map[arch.Opcode][]operand{
	arch.DMARead:  {{"address", number, first}, {"bytes", number, second}},
	arch.DMAWrite: {{"address", number, first}, {"bytes", number, second}},
	arch.VAdd:     {{"load", load, nil}},
	arch.VMul:     {{"scalar", float, first}},
	arch.SWrite:   {{"register", register, first}, {"value", value, second}},
	arch.GPURead:  {{"gpu", number, first}, {"block", number, second}},
	arch.Learn:    {{"half", half, nil}, {"address", number, first}, {"inputs", number, second}},
	arch.Classify: {{"half", half, nil}, {"address", number, first}, {"inputs", number, second}, {"bitmap", number, third}},
	arch.Gather:   {{"half", half, nil}, {"inputs", number, second}},
	arch.Update:   {{"half", half, nil}, {"address", number, first}, {"rows", number, second}},
	arch.HotSet:   {{"address", number, first}},
	arch.Fence:    {},
}

// usage returns the syntax of a command.
func usage(op arch.Opcode) string {
	var names []string
	for _, o := range syntax[op] {
		name := o.name
		if o.form == load {
			name = "[load]"
		}
		names = append(names, name)
	}
	return strings.TrimSpace(op.String() + " " + strings.Join(names, ", "))
}

// parse parses an operand into a command.
func (o operand) parse(c *arch.Command, text string, names symbols) error {
	var v uint64
	var err error
	switch o.form {
	case number:
		v, err = names.sum(text)
	case register:
		v, err = registerNumber(text, names)
	case value:
		if c.Operand1 == arch.RegScale {
			v, err = floatBits(text)
		} else {
			v, err = names.sum(text)
		}
	case float:
		v, err = floatBits(text)
	case half:
		if text != "0" && text != "1" {
			return fmt.Errorf("%s is %q, expected 0 or 1", o.name, text)
		}
		c.Flags = text[0] - '0'
		return nil
	case load:
		if text != "load" {
			return fmt.Errorf("found %q, expected load or nothing", text)
		}
		c.Flags = 1
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", o.name, err)
	}
	*o.at(c) = v
	return nil
}

// print formats an operand of a command. An empty result is omitted.
func (o operand) print(c *arch.Command) string {
	switch o.form {
	case half:
		return strconv.Itoa(int(c.Flags))
	case load:
		return []string{"", "load"}[c.Flags&1]
	case register:
		if n := c.Operand1; n < arch.RegCount {
			return arch.RegisterName(int(n))
		}
	case value:
		if c.Operand1 == arch.RegScale {
			return floatText(c.Operand2)
		}
	case float:
		return floatText(c.Operand1)
	}
	if v := *o.at(c); v >= 1<<16 {
		return fmt.Sprintf("%#x", v)
	}
	return fmt.Sprint(*o.at(c))
}

// registerNumber parses the name of an s_wr register, or a number.
func registerNumber(text string, names symbols) (uint64, error) {
	name, rest, indexed := strings.Cut(text, "[")
	i := slices.IndexFunc(arch.Registers, func(a arch.Array) bool { return a.Name == name })
	if i < 0 {
		if n, err := names.sum(text); err == nil {
			return n, nil
		}
		return 0, fmt.Errorf("there is no register %q, expected a number or %s", text, registerNames())
	}
	a := arch.Registers[i]
	if indexed != (a.Count > 1) {
		return 0, fmt.Errorf("found %q, expected %s", text, registerUsage(a))
	}
	if !indexed {
		return uint64(a.First), nil
	}
	inner, closed := strings.CutSuffix(rest, "]")
	n, err := names.sum(inner)
	if !closed || err != nil || n >= uint64(a.Count) {
		return 0, fmt.Errorf("found %q, expected %s", text, registerUsage(a))
	}
	return uint64(a.First) + n, nil
}

func registerUsage(a arch.Array) string {
	if a.Count == 1 {
		return a.Name
	}
	return fmt.Sprintf("%s[0] to %s[%d]", a.Name, a.Name, a.Count-1)
}

func registerNames() string {
	var list []string
	for _, a := range arch.Registers {
		list = append(list, registerUsage(a))
	}
	return strings.Join(list, ", ")
}

// floatBits parses an FP32 value, or its bits if the text begins with 0x.
func floatBits(text string) (uint64, error) {
	if strings.HasPrefix(text, "0x") {
		if n, err := strconv.ParseUint(text, 0, 64); err == nil {
			return n, nil
		}
	} else if f, err := strconv.ParseFloat(text, 32); err == nil && text[len(text)-1] <= '9' {
		return uint64(math.Float32bits(float32(f))), nil
	}
	return 0, fmt.Errorf("found %q, expected a number that FP32 can hold, as -0.5, or its bits, as 0xbf000000", text)
}

// floatText formats FP32 bits so that floatBits parses the same bits.
func floatText(bits uint64) string {
	f := math.Float32frombits(uint32(bits))
	text := strconv.FormatFloat(float64(f), 'g', -1, 32)
	if back, err := floatBits(text); err != nil || back != bits {
		return fmt.Sprintf("%#x", bits)
	}
	return text
}
