package dispatch

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/memory"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/sizes"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Gather returns the reads and operations for the non-popular inputs of a mini-batch. Its values
// are the numbers of rows read from GPUs and from host memory.
func (r *RegisterModel) Gather(words []uint32, results []lookup.Result, popular []bool) Effect {
	keys := lookup.Keys(r.p, words, r.Bases())
	var inputs []int
	for i := range len(words) / r.Slots {
		if !popular[i] {
			inputs = append(inputs, i)
		}
	}
	rows, hot := len(inputs)*r.Slots, 0
	e := Effect{Rows: make([]dma.ReadRequest, 0, rows), Ops: make([]reduce.Operation, 0, rows), Inputs: inputs}
	r.rounds(len(inputs), r.Slots, func(j, s int, next bool) {
		k, slot := inputs[j]*r.Slots+s, r.SlotTable[s]
		if results[k].Hit {
			block := eal.PlaceOf(r.p, keys[k]).BlockNumber(r.p, results[k].Way)
			e.Rows = append(e.Rows, r.row(true, r.Hot[hot%r.GPUs]+uint64(block)<<r.RowLog2))
			hot++
		} else {
			e.Rows = append(e.Rows, r.row(false, r.TableBase[slot.Table]+uint64(words[k])<<r.RowLog2))
		}
		op := reduce.Operation{Kind: reduce.Add, Load: slot.First, Write: slot.Last, Next: next}
		if op.Write {
			op.Addr = r.Pooled[j%r.GPUs] + uint64(j/r.GPUs*r.Tables+slot.Table)<<r.RowLog2
		}
		e.Ops = append(e.Ops, op)
	})
	e.Values = [2]uint32{uint32(hot), uint32(len(e.Rows) - hot)}
	return e
}

// Group returns the number of inputs in an interleaved group of a gather.
func (r *RegisterModel) Group() int { return r.p.Geometry().Group(1 << r.RowLog2) }

// rounds visits the lookups of n inputs in the order of the hardware: group by group, within a
// group slot by slot, within a slot input by input. next reports whether the next lookup belongs to
// the next input of the group, not to its first.
func (r *RegisterModel) rounds(n, slots int, visit func(input, slot int, next bool)) {
	group := r.Group()
	for first := 0; first < n; first += group {
		last := min(first+group, n) - 1
		for s := range slots {
			for j := first; j <= last; j++ {
				visit(j, s, j < last)
			}
		}
	}
}

// Update returns the reads and operations for an update list of (table, index) pairs.
func (r *RegisterModel) Update(list []uint32) Effect {
	var e Effect
	n := len(list) / sizes.EntryWords
	e.Rows, e.Ops = make([]dma.ReadRequest, 0, 2*n), make([]reduce.Operation, 0, 2*n)
	r.rounds(n, sizes.EntryWords, func(k, s int, next bool) {
		if s == 0 {
			e.Rows = append(e.Rows, r.row(true, r.Grad[k%r.GPUs]+uint64(k/r.GPUs)<<r.RowLog2))
			e.Ops = append(e.Ops, reduce.Operation{Kind: reduce.Mul, Next: next, Scalar: r.Scale})
			return
		}
		table, index := int(list[k*sizes.EntryWords])%r.p.Tables, list[k*sizes.EntryWords+1]
		row := r.TableBase[table] + uint64(index)<<r.RowLog2
		e.Rows = append(e.Rows, r.row(false, row))
		e.Ops = append(e.Ops, reduce.Operation{Kind: reduce.Add, Write: true, Next: next, Addr: row})
	})
	e.Values[0] = uint32(n)
	return e
}

// HotEntries returns the hot set in the order in which the hardware reads it out.
func HotEntries(p arch.Params, t *eal.Tracker) []arch.HotRow {
	var out []arch.HotRow
	t.Scan(func(key uint32, block int) {
		out = append(out, arch.HotRow{ID: randomizer.Invert(p.IDBits(), key), Block: uint32(block)})
	})
	return out
}

// PackEntries returns the packets that carry a hot set.
func PackEntries(addr uint64, entries []arch.HotRow) []Write {
	var data []byte
	for _, e := range entries {
		data = binary.LittleEndian.AppendUint32(data, e.ID)
		data = binary.LittleEndian.AppendUint32(data, e.Block)
	}
	for len(data)%memory.PacketBytes != 0 {
		data = append(data, 0xff)
	}
	return Packets(addr, data, memory.PacketBytes)
}
