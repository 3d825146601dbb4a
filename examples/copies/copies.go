// Package copies tests the core of examples/rv32i with random instructions. A batch simulates 64
// cores together.
package copies

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/examples/copies/cores"
	"github.com/hotline-rtl/hotline/examples/rv32i"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/campaign"
)

//go:generate go run ./generate

// New returns an engine that simulates a batch of cores.
func New() sim.Copies { return cores.New(cores.Options{}) }

// Run executes the test for n seeds, starting with seed first.
func Run(first, n uint64) error { return campaign.Run(Test, New, first, n) }

// Test executes random instructions on a core. None of them halts the core.
var Test = campaign.Test{Cycles: 200, Begin: begin}

// player drives a core and checks its memory accesses.
type player struct {
	c             sim.Copy
	rand          *rand.Rand
	word          int // indices of ports
	halted, write int
	value         [1]uint64
}

func begin(c sim.Copy, seed uint64) campaign.Player {
	p := &player{c: c, rand: rand.New(rand.NewPCG(seed, 0))}
	for i, port := range c.Ports() {
		switch port.Name {
		case "memory_word":
			p.word = i
		case "memory_write":
			p.write = i
		case "halted":
			p.halted = i
		}
	}
	return p
}

// opcodes are the opcodes of instructions that do not halt the core.
var opcodes = []rv32i.Opcode{rv32i.Op, rv32i.OpImm, rv32i.Load, rv32i.Store, rv32i.Branch, rv32i.JAL, rv32i.JALR, rv32i.LUI, rv32i.AUIPC, rv32i.Fence}

// Drive implements campaign.Player.
func (p *player) Drive(int) {
	p.value[0] = uint64(p.rand.Uint32()&^0x7f | uint32(opcodes[p.rand.IntN(len(opcodes))]))
	p.c.Set(p.word, p.value[:])
}

// Check implements campaign.Player.
func (p *player) Check(cycle int) error {
	if p.c.Get(p.halted, p.value[:]); p.value[0] != 0 {
		return fmt.Errorf("the core has halted")
	}
	if p.c.Get(p.write, p.value[:]); p.value[0] != 0 && cycle%2 == 0 {
		return fmt.Errorf("the core writes while it fetches")
	}
	return nil
}
