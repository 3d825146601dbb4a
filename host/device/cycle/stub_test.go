package cycle_test

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// stub is a design in plain Go. At each clock edge outside reset, it reads the inputs and sets the
// outputs of the next cycle.
type stub struct {
	ports  []sim.Port
	index  map[string]int
	value  [][]uint64
	edge   func() error
	cycle  uint64
	reset  bool
	resets int  // cycles
	quiet  bool // result of Quiet
}

// newStub returns a stub with the boundary of docs/reference/accelerator.md, for a stream of width bits and
// 32 tags.
func newStub(width int) *stub {
	s := &stub{index: map[string]int{}, edge: func() error { return nil }}
	for _, p := range []struct {
		prefix, inputs, outputs string
		width                   map[string]int
	}{
		{"s_axil_", "awaddr awprot awvalid wdata wstrb wvalid bready araddr arprot arvalid rready", "awready wready bresp bvalid arready rdata rresp rvalid",
			map[string]int{"awaddr": 12, "araddr": 12, "awprot": 3, "arprot": 3, "wdata": 32, "rdata": 32, "wstrb": 4, "bresp": 2, "rresp": 2}},
		{"m_axis_read_desc_", "ready", "dma_addr len tag cls valid", map[string]int{"dma_addr": 64, "len": 13, "tag": 5}},
		{"s_axis_read_data_", "tdata tkeep tid tlast tuser tvalid", "tready", map[string]int{"tdata": width, "tkeep": width / 8, "tid": 5}},
		{"s_axis_read_desc_status_", "tag error valid", "", map[string]int{"tag": 5, "error": 4}},
		{"m_axis_write_desc_", "ready", "dma_addr len tag valid", map[string]int{"dma_addr": 64, "len": 13, "tag": 5}},
		{"m_axis_write_data_", "tready", "tdata tkeep tid tlast tvalid", map[string]int{"tdata": width, "tkeep": width / 8, "tid": 5}},
		{"s_axis_write_desc_status_", "tag error valid", "", map[string]int{"tag": 5, "error": 4}},
		{"irq_", "ack", "req", nil},
		{"cfg_", "bus_master_enable flr", "", nil},
		{"link_", "up", "", nil},
	} {
		for _, side := range []struct {
			names string
			input bool
		}{{p.inputs, true}, {p.outputs, false}} {
			for _, name := range strings.Fields(side.names) {
				w := max(1, p.width[name])
				s.index[p.prefix+name] = len(s.ports)
				s.ports = append(s.ports, sim.Port{Name: p.prefix + name, Input: side.input, Type: ir.Type{Width: w}})
				s.value = append(s.value, make([]uint64, ir.Words(w)))
			}
		}
	}
	return s
}

func (s *stub) Ports() []sim.Port            { return s.ports }
func (s *stub) Set(port int, value []uint64) { copy(s.value[port], value) }
func (s *stub) Get(port int, value []uint64) { copy(value, s.value[port]) }
func (s *stub) SetReset(on bool)             { s.reset = on }
func (s *stub) Cycle() uint64                { return s.cycle }
func (s *stub) Quiet() bool                  { return s.quiet }
func (s *stub) Close() error                 { return nil }

func (s *stub) Step() error {
	s.cycle++
	if s.reset {
		s.resets++
		return nil
	}
	return s.edge()
}

func (s *stub) get(name string) uint64 { return s.value[s.index[name]][0] }
func (s *stub) set(name string, v uint64) {
	clear(s.value[s.index[name]])
	s.value[s.index[name]][0] = v
}
func (s *stub) high(name string) bool { return s.get(name) != 0 }

// descriptor is a read or write descriptor; data is the data received or sent.
type descriptor struct {
	addr  uint64
	size  int
	data  []byte
	last  bool // tlast was set
	ended bool
	code  uint64
}

// reader is a stub that issues read descriptors; descriptor i has tag i mod 32.
type reader struct {
	*stub
	rng    *rand.Rand
	list   []*descriptor
	byTag  [32]*descriptor
	issued int
	ended  int
	bad    string // the card's first violation of the rules
}

func newReader(width int, list []*descriptor, seed uint64) *reader {
	r := &reader{stub: newStub(width), rng: rand.New(rand.NewPCG(seed, 3)), list: list}
	r.edge = r.run
	return r
}

func (r *reader) run() error {
	if r.high("m_axis_read_desc_valid") && r.high("m_axis_read_desc_ready") {
		r.issued++
		r.set("m_axis_read_desc_valid", 0)
	}
	if r.high("s_axis_read_data_tvalid") && r.high("s_axis_read_data_tready") {
		r.beat()
	}
	if r.high("s_axis_read_desc_status_valid") {
		d := r.byTag[r.get("s_axis_read_desc_status_tag")]
		if d == nil || d.ended {
			r.breach("status of a descriptor that is not open")
			return nil
		}
		d.ended, d.code = true, r.get("s_axis_read_desc_status_error")
		if d.code == 0 && !d.last {
			r.breach("status before the last beat")
		}
		r.ended++
	}
	r.set("s_axis_read_data_tready", uint64(r.rng.IntN(2)))
	// From here on only the device has work.
	r.quiet = r.issued == len(r.list) && !r.high("m_axis_read_desc_valid")
	if r.issued < len(r.list) && !r.high("m_axis_read_desc_valid") && r.rng.IntN(3) > 0 {
		if old := r.byTag[r.issued%32]; old != nil && !old.ended {
			return nil
		}
		d := r.list[r.issued]
		r.byTag[r.issued%32] = d
		r.set("m_axis_read_desc_valid", 1)
		r.set("m_axis_read_desc_dma_addr", d.addr)
		r.set("m_axis_read_desc_len", uint64(d.size))
		r.set("m_axis_read_desc_tag", uint64(r.issued%32))
	}
	return nil
}

func (r *reader) beat() {
	d := r.byTag[r.get("s_axis_read_data_tid")]
	if d == nil || d.ended || d.last {
		r.breach("data of a descriptor that is not open")
		return
	}
	words := r.value[r.index["s_axis_read_data_tdata"]]
	var raw []byte
	for _, w := range words {
		raw = binary.LittleEndian.AppendUint64(raw, w)
	}
	keep := r.get("s_axis_read_data_tkeep")
	n := bits.Len64(keep)
	d.last = r.high("s_axis_read_data_tlast")
	if keep != ^uint64(0)>>(64-n) || n < len(raw) && !d.last {
		r.breach("sparse beat")
	}
	d.data = append(d.data, raw[:n]...)
	if d.last != (len(d.data) == d.size) {
		r.breach("tlast")
	}
	if r.high("s_axis_read_data_tuser") {
		r.breach("poisoned data")
	}
}

func (r *reader) breach(text string) {
	if r.bad == "" {
		r.bad = text
	}
}

// writer is a stub that issues write descriptors, up to 8 ahead of their data.
type writer struct {
	*stub
	rng             *rand.Rand
	list            []*descriptor
	announced, sent int // number of descriptors
	offset          int // offset of the next beat of descriptor sent
	ended, most     int // descriptors with a status; maximum number without
	stalled         int // cycles in which a descriptor waited
	spoil           func(w *writer)
}

func newWriter(width int, list []*descriptor, seed uint64) *writer {
	w := &writer{stub: newStub(width), rng: rand.New(rand.NewPCG(seed, 4)), list: list}
	w.edge = w.run
	return w
}

func (w *writer) run() error {
	if w.high("m_axis_write_desc_valid") {
		if w.high("m_axis_write_desc_ready") {
			w.announced++
			w.set("m_axis_write_desc_valid", 0)
		} else {
			w.stalled++
		}
	}
	if w.high("m_axis_write_data_tvalid") && w.high("m_axis_write_data_tready") {
		w.set("m_axis_write_data_tvalid", 0)
		if w.offset += w.beatBytes(); w.offset >= w.list[w.sent].size {
			w.sent, w.offset = w.sent+1, 0
		}
	}
	if w.high("s_axis_write_desc_status_valid") {
		d := w.list[w.ended]
		d.ended, d.code = true, w.get("s_axis_write_desc_status_error")
		w.ended++
	}
	w.quiet = w.sent == len(w.list) // from here on only the device has work
	w.most = max(w.most, w.announced-w.ended)
	w.present()
	if w.spoil != nil {
		w.spoil(w)
	}
	return nil
}

func (w *writer) beatBytes() int { return 8 * len(w.value[w.index["m_axis_write_data_tdata"]]) }

func (w *writer) present() {
	if w.announced < len(w.list) && w.announced < w.sent+8 && w.rng.IntN(3) > 0 {
		d := w.list[w.announced]
		w.set("m_axis_write_desc_valid", 1)
		w.set("m_axis_write_desc_dma_addr", d.addr)
		w.set("m_axis_write_desc_len", uint64(d.size))
		w.set("m_axis_write_desc_tag", uint64(w.announced%32))
	}
	if w.sent < w.announced && !w.high("m_axis_write_data_tvalid") && w.rng.IntN(3) > 0 {
		d := w.list[w.sent]
		raw := make([]byte, w.beatBytes())
		n := copy(raw, d.data[w.offset:])
		words := w.value[w.index["m_axis_write_data_tdata"]]
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(raw[8*i:])
		}
		w.set("m_axis_write_data_tvalid", 1)
		w.set("m_axis_write_data_tkeep", ^uint64(0)>>(64-n))
		w.set("m_axis_write_data_tlast", 0)
		if w.offset+n == d.size {
			w.set("m_axis_write_data_tlast", 1)
		}
	}
}
