package link

import (
	"encoding/binary"

	"github.com/hotline-rtl/hotline/host/des"
)

// Write64 writes eight bytes with one posted write.
func (rc *RootComplex) Write64(addr uint64, v uint64) error {
	return rc.Write(addr, binary.LittleEndian.AppendUint64(nil, v))
}

// Backlog returns the number of read descriptors that are not completely requested, and the number
// of waiting TLPs and writes.
func (e *Endpoint) Backlog() (reads, tlps int) {
	return e.descs.Len(), e.port.Queued() + e.posted.Len()
}

// HBM returns the memory bandwidth as a resource.
func (g *GPU) HBM() *des.Resource { return g.hbm }

// RAM returns the bandwidth of host memory as a resource.
func (rc *RootComplex) RAM() *des.Resource { return rc.ram }

// Counters returns the error counters.
func (g *GPU) Counters() Counters          { return g.counters }
func (rc *RootComplex) Counters() Counters { return rc.counters }
func (s *Switch) Counters() Counters       { return s.counters }

// Messages returns the number of messages that arrived.
func (rc *RootComplex) Messages() uint64 { return rc.messages }

// ClearErrors clears all errors, including the errors in [RootComplex.OwnErrors].
func (rc *RootComplex) ClearErrors() {
	generate, _ := rc.digests()
	rc.rootErrors, rc.hub.errors = RootErrors{}, errorRegisters()
	rc.setECRC(generate)
}
