package accel

import (
	"math"

	"github.com/hotline-rtl/hotline/host/driver"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// entryWords is the size of an entry of the update list: table and index.
const entryWords = 2

// updateJob reads, for each entry of the list, gradient and row, and writes the
// row back.
type updateJob struct {
	a     *Accel
	list  []uint32
	asked int // reads, two per entry
	taken int
	start node.Time
}

// update carries out the command for n rows.
func (a *Accel) update(n int) {
	h := &a.halves[a.now.cmd.half]
	a.loadHalf(h, a.now.cmd.operand[0], n*entryWords, func() {
		a.reads.start(&updateJob{a: a, list: h.words[:n*entryWords], start: a.k.Now()})
	})
}

// row is the address of the row of entry k.
func (u *updateJob) row(k int) uint64 {
	return u.a.coldRow(int(u.list[k*entryWords])&(u.a.p.Tables-1), u.list[k*entryWords+1])
}

func (u *updateJob) next() (uint64, int, bool) {
	k, gradient := u.asked/2, u.asked%2 == 0
	if u.asked == len(u.list) {
		return 0, 0, false
	}
	u.asked++
	if !gradient {
		return u.row(k), len(u.a.row()), true
	}
	g := u.a.gpus()
	return u.a.regs[driver.RegGrad+k%g] + uint64(k/g)<<u.a.rowLog2(), len(u.a.row()), true
}

func (u *updateJob) take(data []byte, e link.Error) {
	u.a.fail(e)
	a, k, gradient := u.a, u.taken/2, u.taken%2 == 0
	a.csrs.rowsRead++
	u.taken++
	if gradient {
		a.row().mul(data, math.Float32frombits(uint32(a.regs[driver.RegScale])))
		return
	}
	a.row().add(data)
	a.writeRow(u.row(k), a.row())
}

func (u *updateJob) end() {
	a, rows := u.a, len(u.list)/entryWords
	a.now.values[0] = uint32(rows)
	a.finish(u.start + a.cycles(rows*(2*a.p.beats(len(a.row()))+vectorCycles)))
}
