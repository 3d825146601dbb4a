package top

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/model"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// system is an accelerator with a memory behind its boundary, a driver, and the model.
type system struct {
	*bench.Bench
	design *ir.Design
	p      arch.Params
	pins   map[string]sim.Pin
	model  *model.Model
	target *dma.Target
	memory dma.Pages

	aw, w, ar                      *bench.Source
	b, r                           *bench.Sink
	readDesc, writeDesc, writeData *bench.Sink
	posted                         uint16      // number of commands
	acknowledge                    func() bool // returns irq_ack of a cycle
	rows, vectorsWritten           int         // rows read and vectors written by checked gathers
}

const ringLog2 = 6

func newSystem(d *ir.Design, p arch.Params, seed uint64) (*system, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	return around(b, d, p, seed), nil
}

// around returns a new system around a running design.
func around(b *bench.Bench, d *ir.Design, p arch.Params, seed uint64) *system {
	s := &system{Bench: b, design: d, p: p, pins: map[string]sim.Pin{}, model: model.New(p), memory: dma.Pages{}}
	for _, port := range b.Sim.Ports() {
		s.pins[port.Name] = b.Pin(port.Name)
	}
	s.target = dma.NewTarget(noise{s.memory}, p.StreamBytes(), 40, seed)
	source := func(channel, valid, ready string, fields ...string) *bench.Source {
		return b.Source(channel+valid, channel+ready, prefixed(channel, fields)...)
	}
	sink := func(channel, valid, ready string, fields ...string) *bench.Sink {
		return b.Sink(channel+valid, channel+ready, prefixed(channel, fields)...)
	}
	s.aw = source("s_axil_aw", "valid", "ready", "addr", "prot")
	s.w = source("s_axil_w", "valid", "ready", "data", "strb")
	s.ar = source("s_axil_ar", "valid", "ready", "addr", "prot")
	s.b = sink("s_axil_b", "valid", "ready", "resp")
	s.r = sink("s_axil_r", "valid", "ready", "resp", "data")
	s.readDesc = sink("m_axis_read_desc_", "valid", "ready", "dma_addr", "len", "tag", "cls")
	s.writeDesc = sink("m_axis_write_desc_", "valid", "ready", "dma_addr", "len", "tag")
	s.writeData = sink("m_axis_write_data_", "tvalid", "tready", "tdata", "tkeep", "tid", "tlast")
	s.acknowledge = s.pins["irq_req"].Bool
	s.pins["cfg_bus_master_enable"].SetBool(true)
	s.pins["link_up"].SetBool(true)
	for _, x := range []*bench.Sink{s.readDesc, s.writeDesc, s.writeData} {
		x.Rate = []float64{1, 0.5}[b.Rand.IntN(2)]
	}
	return s
}

// never acknowledges no interrupt.
func never() bool { return false }

func prefixed(prefix string, names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = prefix + n
	}
	return out
}

// noise is a memory whose tables contain pseudo-random binary32 numbers from 0.5 to 1 until they
// are written.
type noise struct{ dma.Pages }

func (m noise) ReadAt(addr uint64, b []byte) {
	m.Pages.ReadAt(addr, b)
	for i := 0; i+4 <= len(b); i += 4 {
		if at := addr + uint64(i); at >= hostTables && binary.LittleEndian.Uint32(b[i:]) == 0 {
			binary.LittleEndian.PutUint32(b[i:], 0x3f000000|uint32(at*0x9e3779b97f4a7c15>>41))
		}
	}
}

// word returns a word of memory.
func (s *system) word(addr uint64) uint32 {
	b := make([]byte, 4)
	noise{s.memory}.ReadAt(addr, b)
	return binary.LittleEndian.Uint32(b)
}

// writeWords writes words to memory.
func (s *system) writeWords(addr uint64, words []uint32) {
	for i, w := range words {
		s.memory.WriteAt(addr+uint64(4*i), binary.LittleEndian.AppendUint32(nil, w))
	}
}

// cycle runs one clock cycle, including the boundary.
func (s *system) cycle() error {
	s.target.Tick()
	beat, ok := s.target.ReadBeat()
	s.pins["s_axis_read_data_tvalid"].SetBool(ok)
	if ok {
		s.pins["s_axis_read_data_tid"].Set(uint64(beat.Tag))
		s.pins["s_axis_read_data_tdata"].SetWords(beat.Data)
		s.pins["s_axis_read_data_tkeep"].Set(math.MaxUint64 >> (64 - 8*len(beat.Data)))
		s.pins["s_axis_read_data_tlast"].SetBool(beat.Last)
		s.pins["s_axis_read_data_tuser"].SetBool(beat.Poisoned)
	}
	s.status("s_axis_read_desc_status_", s.target.ReadStatus)
	s.status("s_axis_write_desc_status_", s.target.WriteStatus)
	s.pins["irq_ack"].SetBool(s.acknowledge())
	if err := s.Cycle(); err != nil {
		return err
	}
	return s.collect()
}

func (s *system) status(port string, next func() (dma.TagStatus, bool)) {
	status, ok := next()
	s.pins[port+"valid"].SetBool(ok)
	if ok {
		s.pins[port+"tag"].Set(uint64(status.Tag))
		s.pins[port+"error"].Set(uint64(status.Error))
	}
}

// collect forwards descriptors and data to the target.
func (s *system) collect() error {
	var errs []error
	for _, it := range s.readDesc.Got[0] {
		errs = append(errs, s.target.TakeRead(dma.Descriptor{Addr: it[0], Len: int(it[1]), Tag: int(it[2]), Peer: it[3] == 1}))
		if (it[0] >= gpuBase) != (it[3] == 1) {
			errs = append(errs, fmt.Errorf("read of %#x with class %d", it[0], it[3]))
		}
	}
	for _, it := range s.writeDesc.Got[0] {
		errs = append(errs, s.target.TakeWrite(dma.Descriptor{Addr: it[0], Len: int(it[1]), Tag: int(it[2])}))
	}
	n := s.p.StreamBits / 64
	for _, it := range s.writeData.Got[0] {
		errs = append(errs, s.target.TakeData(dma.WriteBeat{Data: it[:n], Keep: it[n], Tag: int(it[n+1]), Last: it[n+2] == 1}))
	}
	s.readDesc.Got[0], s.writeDesc.Got[0], s.writeData.Got[0] = nil, nil, nil
	return errors.Join(errs...)
}

// write writes a register.
func (s *system) write(offset, v uint64) error {
	s.aw.Send(0, bench.Item{offset, 0})
	s.w.Send(0, bench.Item{v, 0xf})
	if err := s.until(100, func() bool { return len(s.b.Got[0]) > 0 }); err != nil {
		return fmt.Errorf("write of register %#x: %w", offset, err)
	}
	s.b.Got[0] = nil
	return nil
}

// read reads a register.
func (s *system) read(offset uint64) (uint64, error) {
	s.ar.Send(0, bench.Item{offset, 0})
	if err := s.until(100, func() bool { return len(s.r.Got[0]) > 0 }); err != nil {
		return 0, fmt.Errorf("read of register %#x: %w", offset, err)
	}
	v := s.r.Got[0][0][1]
	s.r.Got[0] = nil
	return v, nil
}

func (s *system) until(limit int, done func() bool) error {
	for range limit {
		if done() {
			return nil
		}
		if err := s.cycle(); err != nil {
			return err
		}
	}
	return fmt.Errorf("nothing after %d cycles", limit)
}

// ready waits until the EAL is cleared, sets up the rings and enables the accelerator. It checks
// that the accelerator is idle before and afterwards.
func (s *system) ready() error {
	for n := 0; ; n++ {
		v, err := s.read(arch.CSRStatus)
		if err != nil || n > s.p.BankSets() {
			return errors.Join(err, errors.New("the EAL is not ready"))
		}
		if v == 2 {
			break
		}
	}
	if err := s.quiet(); err != nil {
		return err
	}
	for _, w := range [][2]uint64{
		{arch.CSRSQBaseLo, commandRing}, {arch.CSRSQBaseHi, 0}, {arch.CSRSQLog2, ringLog2},
		{arch.CSRCQBaseLo, completionRing}, {arch.CSRCQBaseHi, 0}, {arch.CSRCQLog2, ringLog2}, {arch.CSRControl, 1},
	} {
		if err := s.write(w[0], w[1]); err != nil {
			return err
		}
	}
	return s.quiet()
}

// quiet checks that no register changes and no output is valid once nothing arrives.
func (s *system) quiet() error {
	if err := s.until(1000, s.target.Idle); err != nil {
		return fmt.Errorf("descriptors are open: %w", err)
	}
	for range 15 { // a row needs some cycles to leave the read engine
		if err := s.cycle(); err != nil {
			return err
		}
	}
	if !s.Sim.Quiet() {
		return errors.New("registers change while nothing arrives")
	}
	for _, name := range []string{"m_axis_read_desc_valid", "m_axis_write_desc_valid", "m_axis_write_data_tvalid", "irq_req", "s_axil_bvalid", "s_axil_rvalid"} {
		if s.pins[name].Bool() {
			return fmt.Errorf("%s is 1 while nothing is to be done", name)
		}
	}
	return nil
}

// do runs a command, which must succeed.
func (s *system) do(c arch.Command) (values [2]uint32, err error) {
	status, values, err := s.run(c)
	if err == nil && status != 0 {
		err = fmt.Errorf("%+v: status %d", c, status)
	}
	return values, err
}

// run runs a command and checks that the accelerator is idle afterwards.
func (s *system) run(c arch.Command) (status arch.Status, values [2]uint32, err error) {
	id := s.Rand.Uint32()
	return s.runAs(c, id, id)
}

// runAs runs a command that is sent with one id and whose completion must have another.
func (s *system) runAs(c arch.Command, sent, id uint32) (status arch.Status, values [2]uint32, err error) {
	slot := uint64(s.posted) % (1 << ringLog2)
	s.memory.WriteAt(commandRing+slot*arch.CommandBytes, c.Encode(sent))
	phase := s.posted>>ringLog2&1 == 0
	s.posted++
	if err := s.write(arch.CSRSQTail, uint64(s.posted)); err != nil {
		return 0, values, err
	}
	var got arch.Completion
	intact, b := false, make([]byte, arch.CompletionBytes)
	completed := func() bool {
		s.memory.ReadAt(completionRing+slot*arch.CompletionBytes, b)
		got, intact = arch.DecodeCompletion(b)
		return s.pins["irq_req"].Bool() && got.Phase == phase && got.ID == id
	}
	if err := s.until(100000, completed); err != nil {
		return 0, values, fmt.Errorf("%+v: %w", c, err)
	}
	if !intact || got.Head != s.posted {
		return 0, values, fmt.Errorf("%+v: completion %x", c, b)
	}
	if err := errors.Join(s.write(arch.CSRCQHead, uint64(s.posted)), s.quiet()); err != nil {
		return 0, values, fmt.Errorf("%+v: %w", c, err)
	}
	return got.Status, [2]uint32{got.Value0, got.Value1}, nil
}

// float returns the number with the given binary32 bits.
func float(bits uint32) float32 { return math.Float32frombits(bits) }
