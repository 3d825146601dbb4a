package isa

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// harness is an ISA with its rings in host memory, a driver, and the interfaces of the other
// blocks.
type harness struct {
	*bench.Bench
	p     arch.Params
	io    Ports
	load  sim.Pin // data of a beat
	model *Model

	commandRead, command, packet, data *bench.Sink

	ring   []byte    // commands in memory
	tail   uint16    // the driver's producer index
	reads  []fetched // reads in progress
	ended  []fetched // complete reads whose end was not reported yet
	loaded [][]byte  // commands in the order of their reads, nil if the read failed
	wanted []arch.Command
	faults faults

	running  int // cycles until dispatch is done; 0 if it is idle
	outcome  [4]uint64
	expect   []dispatch.Write // expected completions
	header   *dispatch.Write  // announced packet
	body     []byte
	posted   int // number of completions in memory
	pendedTo uint64
	first    uint16 // number of the first completion
	left     uint16 // index after the completions reported to have left
	head     uint16 // the driver's consumer index
	waiting  bool   // expected value of Waiting in this cycle
}

// faults are the probabilities of damaged commands and of failed reads.
type faults struct{ damage, lose float64 }

// fetched is the read of a command.
type fetched struct {
	tag    int
	beats  [][]byte // beats still to arrive; nil if they have arrived
	left   int
	failed bool
}

func newHarness(d *ir.Design, p arch.Params, seed uint64) (*harness, error) {
	b, err := bench.New(d, seed)
	if err != nil {
		return nil, err
	}
	return &harness{Bench: b, p: p, io: sim.Bind[Ports](b.Sim, Of(p)), load: b.Pin("load_data"), model: &Model{},
		commandRead: bench.PopOf[dma.CommandRead](b, "command_read", p), command: bench.PopOf[dispatch.Command](b, "command", p),
		packet: bench.PopOf[dma.Packet](b, "packet", p), data: bench.PopOf[dma.DataBeat](b, "data", p)}, nil
}

// cycle runs one clock cycle with all surrounding blocks.
func (r *harness) cycle() error {
	pending := r.Sim.Cycle() < r.pendedTo || r.header != nil
	r.io.WritePending.Poke(bench.Bit(pending))
	r.answer()
	r.dispatch()
	if err := r.Cycle(func() error { return r.interrupts(pending) }); err != nil {
		return err
	}
	for _, collect := range []func() error{r.requests, r.issued, r.posts} {
		if err := collect(); err != nil {
			return err
		}
	}
	return nil
}

// interrupts checks the interrupt outputs. Left pulses once per completion, when it is in memory.
// Waiting is 1 from the next cycle but one until the driver counts the completion, and it is 0 in
// the cycle after the driver counts any.
func (r *harness) interrupts(pending bool) error {
	if waiting := r.io.Waiting.Peek() != 0; waiting != r.waiting {
		return fmt.Errorf("%d completions have left and the driver is at %d: completions wait is %v", r.left, r.head, waiting)
	}
	csr := r.io.CSR
	taken := csr.Write.Peek() != 0 && csr.WriteAddr.Peek() == arch.CSRCQHead && csr.WriteStrb.Peek() == 0xf
	r.waiting = int16(r.head-r.left) < 0 && !taken
	if taken {
		r.head = uint16(csr.WriteData.Peek())
	}
	if r.io.Left.Peek() == 0 {
		return nil
	}
	r.left++
	if pending || r.delivered() > r.posted {
		return errors.New("a completion has left before it is in memory")
	}
	return nil
}

func (r *harness) delivered() int { return int(r.left - r.first) }

// requests answers the reads of commands, or makes them fail.
func (r *harness) requests() error {
	for _, it := range r.commandRead.Got[0] {
		got := CommandRead{int(it[0]), it[1]}
		want, ok := r.model.Fetch()
		if !ok || got != want {
			return fmt.Errorf("read %+v, want %+v, %v", got, want, ok)
		}
		at := got.Addr - r.model.Commands.Base
		command := slices.Clone(r.ring[at : at+arch.CommandBytes])
		n := r.p.StreamBytes()
		q := fetched{tag: got.Tag}
		for k := 0; k < len(command); k += n {
			q.beats = append(q.beats, command[k:k+n])
		}
		q.left = len(q.beats)
		if r.Rand.Float64() < r.faults.lose {
			if r.Rand.IntN(2) == 0 { // otherwise all beats arrive
				q.beats[r.Rand.IntN(len(q.beats))] = nil
				q.left--
			}
			q.failed, command = true, nil
		}
		r.reads = append(r.reads, q)
		r.loaded = append(r.loaded, command)
	}
	r.commandRead.Got[0] = nil
	return nil
}

// answer delivers a beat of any read, and ends complete reads.
func (r *harness) answer() {
	for _, q := range r.reads {
		if q.left == 0 {
			r.ended = append(r.ended, q)
		}
	}
	r.reads = slices.DeleteFunc(r.reads, func(q fetched) bool { return q.left == 0 })
	r.end()
	bring := len(r.reads) > 0 && r.Rand.IntN(3) > 0
	r.io.Load.Valid.Poke(bench.Bit(bring))
	r.io.Load.Data.Dest.Poke(r.Rand.Uint64N(uint64(Prefetch * r.p.Stream().CommandBeats())))
	if !bring {
		return
	}
	q := &r.reads[r.Rand.IntN(len(r.reads))]
	for {
		if k := r.Rand.IntN(len(q.beats)); q.beats[k] != nil {
			r.io.Load.Data.Dest.Poke(uint64(q.tag*len(q.beats) + k))
			r.load.SetWords(dma.WordsOf(q.beats[k]))
			q.beats[k] = nil
			q.left--
			return
		}
	}
}

// end reports the end of a read.
func (r *harness) end() {
	tell := len(r.ended) > 0 && r.Rand.IntN(3) > 0
	end := r.io.End
	end.Valid.Poke(bench.Bit(tell))
	end.Data.Tag.Poke(r.Rand.Uint64N(Prefetch))
	end.Data.Failed.Poke(r.Rand.Uint64N(2))
	if !tell {
		return
	}
	i := r.Rand.IntN(len(r.ended))
	end.Data.Tag.Poke(uint64(r.ended[i].tag))
	end.Data.Failed.Poke(bench.Bit(r.ended[i].failed))
	r.ended = slices.Delete(r.ended, i, i+1)
}

// issued accepts a command for dispatch.
func (r *harness) issued() error {
	r.skipDamaged()
	for _, it := range r.command.Got[0] {
		got := arch.Command{Flags: uint8(it[0]), Opcode: arch.Opcode(it[1]), Operand3: it[2], Operand2: it[3], Operand1: it[4]}
		if len(r.wanted) == 0 || got != r.wanted[0] || r.running > 0 {
			return fmt.Errorf("command %+v, want the first of %+v", got, r.wanted)
		}
		r.wanted = nil
		r.running = 1 + r.Rand.IntN(10)
	}
	r.command.Got[0] = nil
	return nil
}

// skipDamaged makes the model take the next command once the previous command is complete.
func (r *harness) skipDamaged() {
	if len(r.wanted) > 0 || r.running > 0 || len(r.expect) > 0 || r.header != nil || len(r.loaded) == 0 {
		return
	}
	c, status := r.model.Take(r.loaded[0])
	r.loaded = r.loaded[1:]
	if status != arch.StatusOK {
		r.complete(status, 0, 0, 0)
		return
	}
	r.wanted = append(r.wanted, c)
}

// dispatch executes the command for some cycles.
func (r *harness) dispatch() {
	r.io.Done.Poke(bench.Bit(r.running == 1))
	r.outcome = [4]uint64{uint64(uint8(r.Rand.Uint32())), uint64(r.Rand.Uint32()), uint64(r.Rand.Uint32()), uint64(r.Rand.Uint32())}
	r.io.Status.Poke(arch.Status(r.outcome[0]))
	r.io.Value0.Poke(r.outcome[1])
	r.io.Value1.Poke(r.outcome[2])
	r.io.Sum.Poke(r.outcome[3])
	if r.running == 1 {
		r.complete(arch.Status(r.outcome[0]), uint32(r.outcome[1]), uint32(r.outcome[2]), uint32(r.outcome[3]))
	}
	r.running = max(0, r.running-1)
}

// complete adds an expected completion. The ring may not have room for it yet.
func (r *harness) complete(status arch.Status, value0, value1, sum uint32) {
	full := r.model.Completions
	r.model.Completions.Index = r.model.tail // the model always has room
	w, _ := r.model.Complete(status, value0, value1, sum)
	r.model.Completions.Index = full.Index
	r.expect = append(r.expect, w)
}

// posts compares the completions.
func (r *harness) posts() error {
	for _, it := range r.packet.Got[0] {
		addr, n := it[0], it[1]
		if r.header != nil || n != arch.CompletionBytes {
			return fmt.Errorf("packet of %d bytes for %#x", n, addr)
		}
		if r.model.tail-r.model.Completions.Index > 1<<r.model.Completions.Log2 {
			return errors.New("the completion ring is overrun")
		}
		r.header, r.body = &dispatch.Write{Addr: addr}, nil
	}
	for _, it := range r.data.Got[0] {
		if r.header == nil {
			return errors.New("data without a packet")
		}
		last, keep := it[0], it[1]
		n := min(r.p.StreamBytes(), arch.CompletionBytes)
		r.body = append(r.body, dma.BytesOf(it[2:])[:n]...)
		if keep != 1<<n-1 || (last == 1) != (len(r.body) == arch.CompletionBytes) {
			return fmt.Errorf("beat %x: keep %x, last %d", it, keep, last)
		}
		if last == 1 {
			if err := r.post(); err != nil {
				return err
			}
		}
	}
	r.packet.Got[0], r.data.Got[0] = nil, nil
	return nil
}

func (r *harness) post() error {
	if len(r.expect) == 0 || r.header.Addr != r.expect[0].Addr || !bytes.Equal(r.body, r.expect[0].Data) {
		return fmt.Errorf("completion %x at %#x, want the first of %x", r.body, r.header.Addr, r.expect)
	}
	r.header, r.expect = nil, r.expect[1:]
	r.posted++
	r.pendedTo = r.Sim.Cycle() + r.Rand.Uint64N(6)
	return nil
}

// write writes a register.
func (r *harness) write(offset, v uint64) error { return r.access(offset, v, 0xf, true) }

// present drives a write to a register.
func (r *harness) present(offset, v, strobe uint64) {
	csr := r.io.CSR
	csr.Write.Poke(1)
	csr.WriteAddr.Poke(offset)
	csr.WriteData.Poke(v)
	csr.WriteStrb.Poke(strobe)
}

// access writes a register and checks whether the write is accepted or refused.
func (r *harness) access(offset, v, strobe uint64, possible bool) error {
	r.present(offset, v, strobe)
	failed := r.io.CSR.WriteError.Peek() != 0
	err := r.cycle()
	r.io.CSR.Write.Poke(0)
	r.io.CSR.WriteData.Poke(r.Rand.Uint64() >> 32)
	if failed == possible {
		err = errors.Join(err, fmt.Errorf("write of %#x with strobes %x: error is %v", offset, strobe, failed))
	}
	return err
}

// read reads a register.
func (r *harness) read(offset uint64) (v uint64, known bool, err error) {
	r.io.CSR.Read.Poke(1)
	r.io.CSR.ReadAddr.Poke(offset)
	err = r.cycle()
	r.io.CSR.Read.Poke(0)
	r.io.CSR.ReadAddr.Poke(r.Rand.Uint64N(1 << AddrBits))
	return r.io.CSR.ReadData.Peek(), r.io.CSR.ReadError.Peek() == 0, err
}

// expectRead reads a register and compares the value.
func (r *harness) expectRead(offset, want uint64) error {
	v, known, err := r.read(offset)
	if err == nil && (v != want || !known) {
		err = fmt.Errorf("register %#x is %#x, known %v, want %#x", offset, v, known, want)
	}
	return err
}

// rate returns a random probability, often 1.
func rate(r *rand.Rand) float64 { return []float64{1, 1, 0.7, 0.3}[r.IntN(4)] }
