package trial

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/oracle"
	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// compose queues a sequence of related commands.
func (g *program) compose() {
	switch n := g.rng.IntN(100); {
	case n < 30:
		g.rows()
	case n < 45:
		g.miniBatch()
	case n < 52:
		g.takeRows()
		g.update()
	case n < 55:
		g.add(g.command(oracle.HotSet, 0, g.region(inHost)))
	case n < 62:
		g.single()
	case n < 64:
		g.takeRows()
		g.add(g.scalars()...)
		g.full, g.held = false, [2]int{}
	case n < 68:
		g.add(g.register())
	case n < 80:
		g.illegal()
	case n < 83:
		g.crowd()
	case n < 85:
		g.patience()
	default:
		g.fences(5)
	}
}

// request returns a command that prefetches a row.
func (g *program) request() oracle.Command {
	g.ahead++
	if g.flip() == 0 {
		return g.command(oracle.DMARead, 0, g.region(inTables), g.row)
	}
	block := g.rng.Uint64N(uint64(g.p.Blocks))
	if g.rng.IntN(8) == 0 {
		block = uint64(g.p.Blocks - 1)
	}
	return g.command(oracle.GPURead, 0, g.rng.Uint64N(uint64(g.p.GPUs)), block)
}

// take returns a command that consumes a row.
func (g *program) take() oracle.Command {
	g.ahead = max(g.ahead-1, 0)
	full := g.full
	g.full = true
	switch {
	case g.rng.IntN(3) == 0:
		return g.command(oracle.VMul, g.flip(), uint64(g.scalar()))
	case full:
		return g.command(oracle.VAdd, g.flip())
	}
	return g.command(oracle.VAdd, 1)
}

func (g *program) send() oracle.Command {
	g.full = false
	return g.command(oracle.DMAWrite, 0, g.region(inHost), g.row)
}

func (g *program) scalar() uint32 { return shell.Value(g.rng) }

// rows prefetches rows, consumes them and writes the vector.
func (g *program) rows() {
	for range 1 + g.rng.IntN(4) {
		g.add(g.request())
	}
	for g.ahead > 0 && g.rng.IntN(12) > 0 {
		g.add(g.take())
		if g.rng.IntN(6) == 0 {
			g.add(g.send())
		}
	}
	if g.full && g.rng.IntN(8) > 0 {
		g.add(g.send())
	}
}

// takeRows consumes all prefetched rows in most cases. Commands that read rows themselves are
// otherwise refused.
func (g *program) takeRows() {
	for g.ahead > 0 && g.rng.IntN(100) > 0 {
		g.add(g.take())
	}
}

// inputs returns a number of inputs for a mini-batch.
func (g *program) inputs() uint64 {
	most := uint64(g.p.HalfWords()) / max(g.l, 1)
	switch g.rng.IntN(200) {
	case 0:
		return most
	case 1:
		return min(most, 128*8+g.rng.Uint64N(9)) // the bitmap has several beats
	}
	return 1 + g.rng.Uint64N(min(most, 1<<g.rng.IntN(6)))
}

// words stores a mini-batch of n inputs. It is padded with zeros, because an input may be longer if
// the command that set the number of slots failed.
func (g *program) words(n uint64) (addr uint64) {
	var b []byte
	few := min(g.ids, 1<<g.rng.IntN(6))
	for range n * g.l {
		index := g.rng.Uint32N(few)
		if g.rng.IntN(8) == 0 {
			index = g.rng.Uint32N(g.ids)
		}
		b = binary.LittleEndian.AppendUint32(b, index)
	}
	longest := uint64(g.cuts[len(g.cuts)-1])
	return g.store(append(b, make([]byte, 4*n*(longest-min(g.l, longest)))...))
}

// store stores a list in memory.
func (g *program) store(b []byte) (addr uint64) {
	addr = g.list
	g.list += uint64(len(b)+4*g.rng.IntN(1000)) &^ 3
	g.mem.Write(addr, b)
	return addr
}

// miniBatch queues some of the commands of a mini-batch: learn, classify and gather.
func (g *program) miniBatch() {
	g.takeRows()
	half := g.flip()
	n := g.inputs()
	addr := g.words(n)
	if g.rng.IntN(2) == 0 {
		g.learn(half, n, addr)
	}
	if g.rng.IntN(8) == 0 {
		g.add(g.command(oracle.HotSet, 0, g.region(inHost)))
	}
	if g.rng.IntN(4) > 0 {
		if g.flip() == 0 {
			addr = g.words(n)
		}
		g.add(g.command(oracle.Classify, half, addr, n, g.region(inHost)))
		g.held[half] = int(n)
	}
	if g.rng.IntN(3) == 0 {
		m := g.inputs()
		if g.flip() == 0 {
			g.learn(1-half, m, g.words(m))
		} else {
			g.add(g.command(oracle.Classify, 1-half, g.words(m), m, g.region(inHost)))
			g.held[1-half] = int(m)
		}
	}
	for range g.rng.IntN(3) {
		if h := g.flip(); g.held[h] > 0 {
			m := g.held[h]
			if g.rng.IntN(4) == 0 {
				m = 1 + g.rng.IntN(m+1)
			}
			g.add(g.command(oracle.Gather, h, g.rng.Uint64(), uint64(m)))
			g.full = false
		}
	}
}

func (g *program) learn(half int, n, addr uint64) {
	g.add(g.command(oracle.Learn, half, addr, n))
	g.held[half] = 0
}

// update updates each of several rows once.
func (g *program) update() {
	n := 1 + g.rng.IntN(1<<g.rng.IntN(5))
	if g.rng.IntN(200) == 0 {
		n = g.p.HalfWords() / 2
	}
	n = min(n, g.p.HalfWords()/2)
	var b []byte
	for k := range n {
		table := g.rng.Uint32()
		if g.missing < oracle.RegSlot && g.rng.IntN(2*n) == 0 {
			table = uint32(g.missing)
		}
		b = binary.LittleEndian.AppendUint32(b, table)
		b = binary.LittleEndian.AppendUint32(b, uint32(k)<<8|g.rng.Uint32N(256))
	}
	half := g.flip()
	g.add(g.command(oracle.Update, half, g.store(b), uint64(n)))
	g.full, g.held[half] = false, 0
}

// single queues one command of any kind, regardless of the state.
func (g *program) single() {
	half, n := g.flip(), 1+g.rng.Uint64N(3)
	switch g.rng.IntN(8) {
	case 0:
		g.add(g.request())
	case 1:
		g.add(g.take())
	case 2:
		g.add(g.send())
	case 3:
		g.learn(half, n, g.words(n))
	case 4:
		g.add(g.command(oracle.Classify, half, g.words(n), n, g.region(inHost)))
		g.held[half] = int(n)
	case 5:
		g.add(g.command(oracle.Gather, half, 0, n))
		g.full = false
	case 6:
		g.add(g.command(oracle.VAdd, 0))
	case 7:
		g.add(g.write(oracle.RegRowLog2, g.rng.Uint64N(16)))
		g.add(g.scalars()[0])
		g.full = false
	}
}

// register returns a write of a register that may be written at any time.
func (g *program) register() oracle.Command {
	gpu := g.rng.Uint64N(uint64(g.p.GPUs))
	switch g.rng.IntN(6) {
	case 5:
		x := g.spans[g.rng.IntN(len(g.spans))]
		return g.slot(x, g.rng.IntN(x.n))
	case 0:
		return g.write(oracle.RegTable+g.rng.Uint64N(uint64(g.p.Tables)), g.region(inTables))
	case 1:
		first := []uint64{oracle.RegHot, oracle.RegPooled, oracle.RegGrad, oracle.RegMailbox}[g.rng.IntN(4)]
		return g.write(first+gpu, g.region(inGPU+int(gpu)))
	case 2:
		return g.write(oracle.RegScale, uint64(g.scalar()))
	case 3:
		return g.write(oracle.RegTables, g.rng.Uint64N(uint64(g.p.Tables)+1))
	}
	g.gpus = 1 + gpu
	return g.write(oracle.RegGPUs, g.gpus)
}

// crowd prefetches more rows than are allowed, and may consume them.
func (g *program) crowd() {
	for range g.p.Tags + g.rng.IntN(8) {
		g.add(g.request())
		if g.rng.IntN(10) == 0 {
			g.add(g.fence())
		}
	}
	g.ahead = min(g.ahead, g.p.Tags)
	if g.flip() == 0 {
		g.takeRows()
	}
}

// patience prefetches a row and consumes it late: after more commands than are prefetched, and
// sometimes after more commands than there are tags.
func (g *program) patience() {
	g.add(g.request())
	g.fences(1 << g.rng.IntN(arch.Log2(g.p.Tags)+2))
	g.add(g.take())
	g.fences(1 << g.rng.IntN(arch.Log2(g.p.Tags)+2))
	g.add(g.send())
}

func (g *program) fences(most int) {
	for range g.rng.IntN(most) {
		g.add(g.fence())
	}
}
