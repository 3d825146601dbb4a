package bench

import (
	"bufio"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

//go:embed runner_copies.go.txt
var copiesRunner string

//go:embed runner_copies.cpp.txt
var copiesCppRunner string

// numbersOfCopies lists the numbers of stimuli that run concurrently.
var numbersOfCopies = []int{64, 256}

// copiedDesigns returns the designs that are measured as batches of instances. They contain no
// large memories.
func copiedDesigns() []design {
	out := []design{{name: core, make: elaborate(rv32i.Core{})}}
	for _, d := range designs() {
		switch d.name {
		case "isa", "dma_read", "dma_write", "reduce":
			out = append(out, d)
		}
	}
	return out
}

// measureCopies compares a batch of instances of a design with Verilator's programs. Each instance
// has a stimulus of its own; Verilator's programs run the stimuli one after the other.
func (b *bench) measureCopies(d design) error {
	x, err := d.make()
	if err != nil {
		return err
	}
	var programs []*program
	for _, v := range b.versions {
		p, err := b.buildVerilator(d.name+"-copies", v, x, fmt.Sprintf("const int every = %d;\n", summedEvery)+copiesCppRunner)
		if err != nil {
			return err
		}
		programs = append(programs, p)
	}
	all := levels()
	some, err := b.buildCopies(d.name, all[len(all)-1], x)
	if err != nil {
		return err
	}
	programs = append(programs, some...)
	for _, n := range numbersOfCopies {
		st, err := b.randoms(d.name, x, n)
		if err != nil {
			return err
		}
		for _, p := range programs {
			p.arguments = func(file string, passes int) []string { return append(fileAndPasses(file, passes), strconv.Itoa(n)) }
		}
		c, err := compare(d.name, st, programs, b.effort())
		if err != nil {
			return fmt.Errorf("%s: %w", st.name, err)
		}
		for _, l := range lines(d.name, st.name, c) {
			b.out.print(l)
		}
	}
	return nil
}

// core is the design that needs special stimuli.
const core = "rv32i"

// opcodes lists the opcodes of instructions that do not halt the core.
var opcodes = []rv32i.Opcode{rv32i.Op, rv32i.OpImm, rv32i.Load, rv32i.Store, rv32i.Branch, rv32i.JAL, rv32i.JALR, rv32i.LUI, rv32i.AUIPC}

// instructions is a stimulus of random RV32I instructions, so that the core never halts. Loads
// return such words, too.
type instructions struct {
	f    *sim.Format
	rand *rand.Rand
}

// Next implements sim.Stimulus.
func (s *instructions) Next(frame []uint64) error {
	clear(frame)
	opcode := opcodes[s.rand.IntN(len(opcodes))]
	word := s.rand.Uint32()&^0x7f | uint32(opcode)
	frame[s.f.In[0].Word] = uint64(word)
	return nil
}

// cyclesOfCopies is small enough that the stimuli of all instances fit into a processor's caches.
const cyclesOfCopies = 250

// summedEvery is the distance in cycles between summed outputs. It has no common factor with the
// cycles of a stimulus, so that enough passes cover all cycles. It is large enough that the time is
// dominated by the models.
const summedEvery = 29

// randoms writes a file with the input frames of n stimuli, one stimulus after the other.
func (s Settings) randoms(design string, d *ir.Design, n int) (stimulus, error) {
	st := stimulus{name: fmt.Sprint("copies-", n), file: filepath.Join(s.Dir, fmt.Sprintf("%s-copies-%d.stimulus", design, n)), cycles: n * cyclesOfCopies}
	file, err := outfile.Stream(st.file)
	if err != nil {
		return st, err
	}
	w := bufio.NewWriter(file)
	f := sim.NewFormat(sim.PortsOf(d))
	frame := make([]uint64, f.InWords)
	for i := range n {
		source := sim.Stimulus(sim.Random(f, uint64(i)))
		if design == core {
			source = &instructions{f: f, rand: rand.New(rand.NewPCG(uint64(i), 0))}
		}
		for range cyclesOfCopies {
			err = errors.Join(err, source.Next(frame), binary.Write(w, binary.LittleEndian, frame))
		}
	}
	return st, errors.Join(err, w.Flush(), file.Close())
}

// buildCopies builds the program with the Go model of a batch of instances.
func (s Settings) buildCopies(name, level string, d *ir.Design) ([]*program, error) {
	files, err := gosim.GenerateCopies(d, gosim.MaxCopies, "design")
	if err != nil {
		return nil, err
	}
	return s.atLevels(name+"-copies", "copies", level, d, files, copiesRunner, copiesGlue)
}

// copiesGlue returns the port-specific source text of runner_copies.go. Ports must not be vectors.
func copiesGlue(d *ir.Design, files []gosim.File) (string, error) {
	f := sim.NewFormat(sim.PortsOf(d))
	reset := 0
	if d.Top.Reset {
		reset = 1
	}
	in, err := structFields(files, "In", len(f.In)+reset)
	if err != nil {
		return "", err
	}
	out, err := structFields(files, "Out", len(f.Out))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `package main

import "github.com/hotline-rtl/hotline/onthefly/design"

const inWords, every = %d, %d

func decode(in *design.In, l int, w []uint64) {
`, f.InWords, summedEvery)
	if reset == 1 {
		fmt.Fprintf(&b, "\tin.%s[l] = w[0]&1 != 0\n", in[len(in)-1].name)
	}
	for i, x := range f.In {
		for k := range x.Words {
			value := fmt.Sprintf("%s(w[%d])", in[i].kind, x.Word+k)
			if in[i].kind == "bool" {
				value = fmt.Sprintf("w[%d] != 0", x.Word)
			}
			fmt.Fprintf(&b, "\tin.%s[l] = %s\n", wordOf(in[i].name, k, x.Words), value)
		}
	}
	b.WriteString("}\n\nfunc add(out *design.Out, sums *[design.Copies]uint64) {\n\tfor l := range sums {\n\t\th := uint64(0)\n")
	for i, x := range f.Out {
		for k := range x.Words {
			value := fmt.Sprintf("out.%s[l]", wordOf(out[i].name, k, x.Words))
			if out[i].kind == "bool" {
				value = fmt.Sprintf("bit(%s)", value)
			} else {
				value = fmt.Sprintf("uint64(%s)", value)
			}
			fmt.Fprintf(&b, "\t\th = fold(h, %s)\n", value)
		}
	}
	b.WriteString("\t\tsums[l] = (sums[l]^h)*0x9E3779B97F4A7C15 + 1\n\t}\n}\n")
	return b.String(), nil
}

// wordOf returns the expression of word k of a port with this number of words, for all instances.
func wordOf(name string, k, words int) string {
	if words == 1 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, k)
}
