package accel

import (
	"encoding/binary"
	"math"
)

// Layout of the hot set in host memory.
const (
	hotEntryBytes  = 8 // row id, block number
	hotPacketBytes = 64
)

// hotSet writes the list of the rows that the tracker holds, a packet at a
// time; the last packet is padded with ones.
func (a *Accel) hotSet() {
	start, addr, block, entries := a.k.Now(), a.now.cmd.operand[0], 0, 0
	packet := func() []byte {
		b := make([]byte, 0, hotPacketBytes)
		for ; block < len(a.eal.blocks) && len(b) < hotPacketBytes; block++ {
			if id, valid := a.eal.id(block); valid {
				b = binary.LittleEndian.AppendUint32(b, id)
				b = binary.LittleEndian.AppendUint32(b, uint32(block))
				entries++
			}
		}
		return b
	}
	a.more = func() {
		for a.writing < writeWindow {
			b := packet()
			if len(b) == 0 {
				a.more = nil
				a.now.values[0] = uint32(entries)
				a.finish(start + a.cycles(a.p.scanCycles(entries)))
				return
			}
			for len(b) < hotPacketBytes {
				b = binary.LittleEndian.AppendUint32(b, math.MaxUint32)
			}
			a.write(addr, b)
			addr += hotPacketBytes
		}
	}
	a.more()
}
