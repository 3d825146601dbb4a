package trial

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Regions of the address space. A region is the upper bits of an address.
const (
	inCommands = iota + 1
	inCompletions
	inLists
	inHost // written by commands
	inTables
	inGPU // the first of the regions of the GPUs
)

// program generates random commands. It tracks their effects approximately, so that most commands
// are valid.
type program struct {
	p     arch.Params
	rng   *rand.Rand
	mem   *shell.Memory
	upper uint64 // bits of all addresses below the region
	list  uint64 // address of the next list

	ids   uint32 // rows of a table
	cuts  []int  // valid numbers of slots: the ends of tables
	spans []span

	missing uint64 // the register that the driver did not write, or an unused number
	queued  []oracle.Command

	l, row, gpus uint64
	ahead        int
	full         bool
	held         [2]int
}

// span is a table with its slots.
type span struct{ table, first, n int }

func newProgram(p arch.Params, r *rand.Rand, mem *shell.Memory) *program {
	g := &program{p: p, rng: r, mem: mem, missing: ^uint64(0), upper: r.Uint64() >> 4 &^ 0x1F_FFFF_FFFF}
	g.list = g.region(inLists)
	g.plan()
	return g
}

// region returns a random address in a region, a multiple of 4.
func (g *program) region(n int) uint64 {
	return uint64(n)<<60 | g.upper | g.rng.Uint64N(1<<36)&^3
}

// plan chooses the tables of the slots.
func (g *program) plan() {
	most := g.p.Slots
	if g.rng.IntN(4) > 0 {
		most = min(most, g.p.Engines/4+8)
	}
	g.ids = 1 << g.rng.IntN(g.p.IDBits()-arch.Log2(g.p.Tables)+1)
	if g.rng.IntN(3) > 0 {
		g.ids = min(g.ids, 64)
	}
	for s := 0; s < most && len(g.spans) < g.p.Tables; {
		n := min(1+g.rng.IntN(1<<g.rng.IntN(4)), most-s)
		g.spans = append(g.spans, span{g.rng.IntN(g.p.Tables), s, n})
		s += n
		if s >= g.p.Engines/4 {
			g.cuts = append(g.cuts, s)
		}
	}
	if len(g.cuts) == 0 { // the spans of all tables are too short
		last := &g.spans[len(g.spans)-1]
		last.n = g.p.Engines/4 - last.first
		g.cuts = []int{g.p.Engines / 4}
	}
}

// setUp returns the commands that write the address registers.
func (g *program) setUp() (out []oracle.Command) {
	write := func(reg, v uint64) { out = append(out, g.write(reg, v)) }
	for t := range g.p.Tables {
		write(oracle.RegTable+uint64(t), g.region(inTables))
	}
	for _, x := range g.spans {
		for s := range x.n {
			out = append(out, g.slot(x, s))
		}
	}
	for n := range g.p.GPUs {
		for _, first := range []uint64{oracle.RegHot, oracle.RegPooled, oracle.RegGrad, oracle.RegMailbox} {
			write(first+uint64(n), g.region(inGPU+n))
		}
	}
	out = append(out, g.scalars()...)
	g.rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

// address returns an address register or a slot register, in most cases one in use. All kinds have
// the same probability.
func (g *program) address() uint64 {
	kinds := []struct {
		first uint64
		n     int
	}{{oracle.RegTable, g.p.Tables}, {oracle.RegSlot, int(g.l)}, {oracle.RegHot, int(g.gpus)}, {oracle.RegPooled, int(g.gpus)}, {oracle.RegGrad, int(g.gpus)}, {oracle.RegMailbox, int(g.gpus)}}
	k := kinds[g.rng.IntN(len(kinds))]
	if k.first == oracle.RegTable && g.flip() == 0 {
		return k.first + uint64(g.spans[g.rng.IntN(len(g.spans))].table)
	}
	return k.first + uint64(g.rng.IntN(k.n))
}

// slot returns the write of the register of slot s of a span.
func (g *program) slot(x span, s int) oracle.Command {
	v := uint64(x.table)<<32 | uint64(g.ids)*uint64(x.table)
	if s == 0 {
		v |= 1 << 40
	}
	if s == x.n-1 {
		v |= 1 << 41
	}
	return g.write(oracle.RegSlot+uint64(x.first+s), v)
}

// scalars returns the writes of the sizes and the scale.
func (g *program) scalars() []oracle.Command {
	low := arch.Log2(g.p.StreamBytes())
	g.row = 1 << (low + g.rng.IntN(arch.Log2(4*g.p.VectorValues)-low+1))
	g.l = uint64(g.cuts[g.rng.IntN(len(g.cuts))])
	g.gpus = uint64(1 + g.rng.IntN(g.p.GPUs))
	return []oracle.Command{
		g.write(oracle.RegRowLog2, uint64(arch.Log2(int(g.row)))),
		g.write(oracle.RegSlots, g.l),
		g.write(oracle.RegGPUs, g.gpus),
		g.write(oracle.RegTables, uint64(g.rng.IntN(g.p.Tables+1))),
		g.write(oracle.RegScale, uint64(g.scalar())),
	}
}

// guess takes the state from the oracle. It is accurate if all commands have completed.
func (g *program) guess(o *oracle.Oracle) {
	g.ahead, g.full = o.RowsAhead(), o.Full()
	g.held = [2]int{o.Held(0), o.Held(1)}
	g.l, g.gpus, g.row = o.Register(oracle.RegSlots), o.Register(oracle.RegGPUs), 1<<o.Register(oracle.RegRowLog2)
}

// next returns the next command.
func (g *program) next() oracle.Command {
	for len(g.queued) == 0 {
		g.compose()
	}
	c := g.queued[0]
	g.queued = g.queued[1:]
	return g.spoil(c)
}

// spoil randomizes ignored bits, and sometimes corrupts the CRC.
func (g *program) spoil(c oracle.Command) oracle.Command {
	if g.rng.IntN(8) == 0 {
		for i := 8; i < 15; i++ {
			c[i] = g.rng.Uint32()
		}
	}
	if g.rng.IntN(16) == 0 {
		c[0] ^= g.rng.Uint32() &^ 0x1FF
	}
	c.Seal()
	if g.rng.IntN(40) == 0 {
		c[g.rng.IntN(16)] ^= 1 << g.rng.IntN(32)
	}
	return c
}

func (g *program) add(c ...oracle.Command) { g.queued = append(g.queued, c...) }

// command returns a command with a valid CRC.
func (g *program) command(op, flag int, operands ...uint64) (c oracle.Command) {
	c[0], c[1] = uint32(op|flag<<8), g.rng.Uint32()
	for i, v := range operands {
		c[2+2*i], c[3+2*i] = uint32(v), uint32(v>>32)
	}
	c.Seal()
	return c
}

func (g *program) fence() oracle.Command { return g.command(oracle.Fence, 0) }

func (g *program) write(reg, v uint64) oracle.Command { return g.command(oracle.SWrite, 0, reg, v) }

func (g *program) flip() int { return g.rng.IntN(2) }
