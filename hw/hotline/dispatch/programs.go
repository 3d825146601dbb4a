package dispatch

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/lookup"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// Gather gives the reads and operations for the non-popular inputs of a
// mini-batch, and how many rows come from GPUs and from host memory.
func (r *RegisterModel) Gather(words []uint32, results []lookup.Result, popular []bool) Effect {
	var e Effect
	keys := lookup.Keys(r.p, words, r.Bases())
	number, hot := 0, 0 // of the non-popular input; of hot rows so far
	rows := len(words)
	e.Rows, e.Ops = make([]dma.ReadRequest, 0, rows), make([]reduce.Operation, 0, 2*rows)
	for i := range len(words) / r.Slots {
		if popular[i] {
			continue
		}
		gpu, before := number%r.GPUs, number/r.GPUs*r.Tables
		for s := range r.Slots {
			k, slot := i*r.Slots+s, r.SlotTable[s]
			if results[k].Hit {
				block := eal.PlaceOf(r.p, keys[k]).BlockNumber(r.p, results[k].Way)
				e.Rows = append(e.Rows, r.row(true, r.Hot[hot%r.GPUs]+uint64(block)<<r.RowLog2))
				hot++
			} else {
				e.Rows = append(e.Rows, r.row(false, r.TableBase[slot.Table]+uint64(words[k])<<r.RowLog2))
			}
			e.Ops = append(e.Ops, reduce.Operation{Kind: reduce.Add, Load: slot.First})
			if slot.Last {
				e.Ops = append(e.Ops, reduce.Operation{Kind: reduce.Write, Addr: r.Pooled[gpu] + uint64(before+slot.Table)<<r.RowLog2})
			}
		}
		number++
	}
	e.Values = [2]uint32{uint32(hot), uint32(len(e.Rows) - hot)}
	return e
}

// Update gives the reads and operations for an update list, pairs of table and
// index.
func (r *RegisterModel) Update(list []uint32) Effect {
	var e Effect
	n := len(list) / entryWords
	e.Rows, e.Ops = make([]dma.ReadRequest, 0, 2*n), make([]reduce.Operation, 0, 3*n)
	for k := range n {
		table, index := int(list[k*entryWords])%r.p.Tables, list[k*entryWords+1]
		row := r.TableBase[table] + uint64(index)<<r.RowLog2
		gradient := r.Grad[k%r.GPUs] + uint64(k/r.GPUs)<<r.RowLog2
		e.Rows = append(e.Rows, r.row(true, gradient), r.row(false, row))
		e.Ops = append(e.Ops, reduce.Operation{Kind: reduce.Mul, Scalar: r.Scale}, reduce.Operation{Kind: reduce.Add}, reduce.Operation{Kind: reduce.Write, Addr: row})
	}
	e.Values[0] = uint32(n)
	return e
}

// HotEntries is the hot set in the order of the read-out.
func HotEntries(p arch.Params, t *eal.Tracker) []arch.HotRow {
	var out []arch.HotRow
	t.Scan(func(key uint32, block int) {
		out = append(out, arch.HotRow{ID: randomizer.Invert(p.IDBits(), key), Block: uint32(block)})
	})
	return out
}

// packEntries are the packets of a hot set.
func packEntries(addr uint64, entries []arch.HotRow) []Write {
	var data []byte
	for _, e := range entries {
		data = e.Append(data)
	}
	for len(data)%packetBytes != 0 {
		data = append(data, 0xff)
	}
	return split(addr, data, packetBytes)
}
