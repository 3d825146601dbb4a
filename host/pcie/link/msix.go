package link

import (
	"encoding/binary"
	"fmt"

	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// The MSI-X structures in the BAR (6.1.4). The table has 16-byte entries: address low and high,
// data, and control with the mask in bit 0. The pending bits, one per vector, start at
// [MSIXPending].
const (
	Vectors     = config.Vectors
	MSIXSize    = 0x1000
	MSIXPending = 0x800
)

// vector is an entry of the table.
type vector struct {
	addr    uint64
	data    uint32
	masked  bool
	pending bool
}

// SetVector programs an entry of the MSI-X table: its interrupt writes data to addr, a multiple of
// 4. If the vector becomes unmasked, a pending interrupt is sent.
func (e *Endpoint) SetVector(i int, addr uint64, data uint32, masked bool) error {
	if i < 0 || i >= Vectors || addr&3 != 0 {
		return fmt.Errorf("link: MSI-X vector %d to address %#x, expected 0 to %d and a multiple of 4", i, addr, Vectors-1)
	}
	v := &e.vectors[i]
	v.addr, v.data, v.masked = addr, data, masked
	e.sendVector(i)
	return nil
}

// RaiseInterrupt sends the interrupt of a vector after all earlier requested writes. While the
// vector is masked, the interrupt remains pending; repeated calls are merged. RaiseInterrupt panics
// if the vector does not exist.
func (e *Endpoint) RaiseInterrupt(i int) {
	e.vectors[i].pending = true
	e.sendVector(i)
}

// sendVectors sends all pending interrupts that are not masked.
func (e *Endpoint) sendVectors() {
	for i := range e.vectors {
		e.sendVector(i)
	}
}

// sendVector sends the interrupt of vector i if it is pending and not masked.
func (e *Endpoint) sendVector(i int) {
	v := &e.vectors[i]
	if !v.pending || v.masked || e.set.Masked || !e.set.MSIX {
		return
	}
	v.pending = false
	var data [4]byte
	binary.LittleEndian.PutUint32(data[:], v.data)
	e.post(heldWrite{addr: v.addr, data: data[:], vector: i + 1})
}

// resetVectors masks all vectors and clears pending interrupts.
func (e *Endpoint) resetVectors() {
	for i := range e.vectors {
		e.vectors[i] = vector{masked: true}
	}
}

// MSIX returns the part of the BAR with the MSI-X structures, by offset.
func (e *Endpoint) MSIX() Window { return Window{e.cfg.MSIXOffset, MSIXSize} }

func (e *Endpoint) inMSIX(offset uint64) bool { return e.MSIX().Contains(offset) }

// readMSIX returns the DW at an offset relative to the MSI-X structures.
func (e *Endpoint) readMSIX(offset uint64) uint32 {
	if offset == MSIXPending {
		var bits uint32
		for i := range e.vectors {
			if e.vectors[i].pending {
				bits |= 1 << i
			}
		}
		return bits
	}
	if offset >= 16*Vectors {
		return 0
	}
	v := &e.vectors[offset/16]
	switch offset % 16 / 4 {
	case 0:
		return uint32(v.addr)
	case 1:
		return uint32(v.addr >> 32)
	case 2:
		return v.data
	}
	if v.masked {
		return 1
	}
	return 0
}

// writeMSIX writes the enabled bytes of a DW of the table. All other structures are read-only.
func (e *Endpoint) writeMSIX(offset uint64, value uint32, enables uint8) {
	if offset >= 16*Vectors {
		return
	}
	var mask uint32
	for i := range 4 {
		if enables>>i&1 != 0 {
			mask |= 0xff << (8 * i)
		}
	}
	value = e.readMSIX(offset)&^mask | value&mask
	v := &e.vectors[offset/16]
	switch offset % 16 / 4 {
	case 0:
		v.addr = v.addr>>32<<32 | uint64(value&^3)
	case 1:
		v.addr = uint64(value)<<32 | v.addr&0xffffffff
	case 2:
		v.data = value
	default:
		v.masked = value&1 != 0
		e.sendVector(int(offset / 16))
	}
}
