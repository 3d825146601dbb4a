package asm

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Program is a parsed program.
type Program struct {
	Commands []Command
	Host     []byte   // from server.HostStart on
	GPUs     [][]byte // from the base of each GPU on
	Shows    []Show
	Expects  []Expect
}

// Command is a command of a program.
type Command struct {
	arch.Command
	Line int
	Text string // as in the file, without comment and with single spaces
}

// Show identifies words of memory to show at the end of a run.
type Show struct {
	Name  string // as in the file
	Where Place
	Words int
}

// Place is an offset in host memory or in a GPU's memory.
type Place struct {
	GPU    int // -1 for host memory
	Offset int
}

// mostData is the maximum size of a memory's data in bytes.
const mostData = 1 << 26

// parser parses a text.
type parser struct {
	file    string
	line    int
	program Program
	names   symbols
	places  map[string]Place // of labels
	gpu     int              // memory that data directives fill, -1 for host memory
	later   []func()         // actions that need all labels

	mistakes []mistake
}

// mistake is an error on a line.
type mistake struct {
	line int
	err  error
}

// Parse parses a program. It uses file as the file name in errors. The error lists the first
// mistakes, sorted by line.
func Parse(file, text string) (*Program, error) {
	p := &parser{file: file, names: symbols{}, places: map[string]Place{}, gpu: -1}
	for i, line := range strings.Split(text, "\n") {
		p.line = i + 1
		line, _, _ = strings.Cut(line, ";")
		p.statement(strings.TrimSpace(line))
	}
	for _, f := range p.later {
		f()
	}
	slices.SortStableFunc(p.mistakes, func(a, b mistake) int { return cmp.Compare(a.line, b.line) })
	var errs []error
	for _, m := range p.mistakes {
		errs = append(errs, m.err)
	}
	if len(errs) > 0 {
		return nil, format.Mistakes(errs...)
	}
	return &p.program, nil
}

func (p *parser) bad(format string, args ...any) {
	p.mistakes = append(p.mistakes, mistake{p.line, fmt.Errorf("%s:%d: "+format, append([]any{p.file, p.line}, args...)...)})
}

// statement parses a line without its comment.
func (p *parser) statement(line string) {
	if label, rest, found := strings.Cut(line, ":"); found {
		p.label(strings.TrimSpace(label))
		line = strings.TrimSpace(rest)
	}
	if line == "" {
		return
	}
	line = strings.Join(strings.Fields(line), " ")
	word, rest, _ := strings.Cut(line, " ")
	args := []string{}
	if rest != "" {
		for _, a := range strings.Split(rest, ",") {
			args = append(args, strings.TrimSpace(a))
		}
	}
	if strings.HasPrefix(word, ".") {
		p.directive(line, word, args)
		return
	}
	i := slices.IndexFunc(arch.Opcodes, func(n arch.Name[arch.Opcode]) bool { return n.Name == word })
	if i < 0 {
		p.bad("there is no command %q, expected %s, or a directive: %s", word, mnemonics(), directives)
		return
	}
	p.command(line, arch.Opcodes[i].Number, args)
}

func mnemonics() string {
	var list []string
	for _, o := range arch.Opcodes {
		list = append(list, o.Name)
	}
	return strings.Join(list, ", ")
}

// define adds a name.
func (p *parser) define(name string, v uint64) {
	switch _, taken := p.names[name]; {
	case !identifier.MatchString(name):
		p.bad("%q is not a name, expected letters, digits and _, a digit not first", name)
	case taken:
		p.bad("%q is defined twice", name)
	default:
		p.names[name] = v
	}
}

// label defines a name for the next byte of data.
func (p *parser) label(name string) {
	place := Place{p.gpu, len(*p.data())}
	p.define(name, address(place))
	p.places[name] = place
}

// address returns the bus address of a place.
func address(at Place) uint64 {
	if at.GPU < 0 {
		return server.HostStart + uint64(at.Offset)
	}
	return link.DefaultGPUConfig(at.GPU).Base + uint64(at.Offset)
}

// data returns the data of the current memory.
func (p *parser) data() *[]byte {
	if p.gpu < 0 {
		return &p.program.Host
	}
	return &p.program.GPUs[p.gpu]
}

// command parses a command after all labels are known.
func (p *parser) command(text string, op arch.Opcode, args []string) {
	n := len(p.program.Commands)
	p.program.Commands = append(p.program.Commands, Command{arch.Command{Opcode: arch.Opcode(op)}, p.line, text})
	p.after(func() {
		c, list := &p.program.Commands[n].Command, syntax[op]
		if op == arch.VAdd && len(args) == 0 {
			return
		}
		if len(args) != len(list) {
			p.bad("%d operands, expected %d: %s", len(args), len(list), usage(op))
			return
		}
		for i, o := range list {
			if err := o.parse(c, args[i], p.names); err != nil {
				p.bad("%v: %s", err, usage(op))
			}
		}
	})
}

// after defers f until all labels are known. Mistakes in f refer to the current line.
func (p *parser) after(f func()) {
	line := p.line
	p.later = append(p.later, func() { p.line = line; f() })
}

const directives = ".const, .host, .gpu, .float, .word, .zero, .align, .show, .expect, .command"

func (p *parser) directive(line, word string, args []string) {
	switch word {
	case ".const":
		if p.count(word, args, 2, "name, value") {
			p.define(args[0], p.number(args[1]))
		}
	case ".host":
		if p.count(word, args, 0, "nothing") {
			p.gpu = -1
		}
	case ".gpu":
		p.selectGPU(args)
	case ".float", ".word":
		p.words(word, args)
	case ".zero":
		if p.count(word, args, 1, "bytes") {
			p.fill(p.number(args[0]))
		}
	case ".align":
		if p.count(word, args, 1, "bytes") {
			p.align(p.number(args[0]))
		}
	case ".show":
		p.show(args)
	case ".expect":
		p.expect(line, args)
	case ".command":
		p.raw(args)
	default:
		p.bad("there is no directive %q, expected %s", word, directives)
	}
}

func (p *parser) count(word string, args []string, n int, expected string) bool {
	if len(args) != n {
		p.bad("%s with %d operands, expected %s", word, len(args), expected)
	}
	return len(args) == n
}

// number parses a sum that uses only names defined so far.
func (p *parser) number(text string) uint64 {
	v, err := p.names.sum(text)
	if err != nil {
		p.bad("%v", err)
	}
	return v
}

func (p *parser) selectGPU(args []string) {
	if !p.count(".gpu", args, 1, "number") {
		return
	}
	n := p.number(args[0])
	if n >= server.MaxGPUs {
		p.bad("GPU %d, expected 0 to %d", n, server.MaxGPUs-1)
		return
	}
	for len(p.program.GPUs) <= int(n) {
		p.program.GPUs = append(p.program.GPUs, nil)
	}
	p.gpu = int(n)
}

func (p *parser) words(word string, args []string) {
	if len(args) == 0 {
		p.bad("%s without operands, expected at least one", word)
	}
	if len(*p.data())%4 != 0 {
		p.bad("%s at %#x, expected a multiple of 4: use .align 4", word, len(*p.data()))
		return
	}
	for _, a := range args {
		*p.data() = binary.LittleEndian.AppendUint32(*p.data(), p.word(a, word == ".float"))
	}
}

// word parses a word of data.
func (p *parser) word(text string, float bool) uint32 {
	var v uint64
	if float {
		var err error
		if v, err = floatBits(text); err != nil {
			p.bad("%v", err)
		}
	} else {
		v = p.number(text)
	}
	if v > math.MaxUint32 {
		p.bad("%s is above 2^32-1", text)
	}
	return uint32(v)
}

// fill appends zeros.
func (p *parser) fill(n uint64) {
	if have := uint64(len(*p.data())); n > mostData || have+n > mostData {
		p.bad("%d bytes of data behind %d, expected at most %d in a memory", n, have, mostData)
		return
	}
	*p.data() = append(*p.data(), make([]byte, n)...)
}

func (p *parser) align(n uint64) {
	if n == 0 || n&(n-1) != 0 || n > 4096 {
		p.bad("alignment %d, expected a power of two from 1 to 4096", n)
		return
	}
	p.fill(-uint64(len(*p.data())) & (n - 1))
}

func (p *parser) show(args []string) {
	if !p.count(".show", args, 2, "label, words") {
		return
	}
	words := p.number(args[1])
	p.after(func() {
		if show, ok := p.wordsAt(args[0], words); ok {
			p.program.Shows = append(p.program.Shows, show)
		}
	})
}

// wordsAt looks up a number of words at a label.
func (p *parser) wordsAt(label string, words uint64) (Show, bool) {
	at, known := p.places[label]
	memory := p.program.Host
	if known && at.GPU >= 0 {
		memory = p.program.GPUs[at.GPU]
	}
	switch {
	case !known:
		p.bad("there is no label %q", label)
	case words < 1 || words > mostData || at.Offset+4*int(words) > len(memory):
		p.bad("%d words at %s, but there are %d", words, label, (len(memory)-at.Offset)/4)
	default:
		return Show{label, at, int(words)}, true
	}
	return Show{}, false
}

// raw parses a command given by its fields.
func (p *parser) raw(args []string) {
	n := len(p.program.Commands)
	p.program.Commands = append(p.program.Commands, Command{Line: p.line, Text: ".command " + strings.Join(args, ", ")})
	p.after(func() {
		if !p.count(".command", args, 5, "opcode, flags, operand 1, operand 2, operand 3") {
			return
		}
		var v [5]uint64
		for i, a := range args {
			v[i] = p.number(a)
		}
		if v[0] > math.MaxUint8 || v[1] > math.MaxUint8 {
			p.bad("opcode %d and flags %d, expected at most 255", v[0], v[1])
		}
		p.program.Commands[n].Command = arch.Command{Opcode: arch.Opcode(v[0]), Flags: uint8(v[1]), Operand1: v[2], Operand2: v[3], Operand3: v[4]}
	})
}
