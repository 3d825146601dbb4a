package trace_test

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/pcie/config"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestCommands: every command goes from doorbell to interrupt, and owns its reads and writes.
func TestCommands(t *testing.T) {
	r, x := run(t)
	require.Len(t, x.Commands, 25)
	opcodes := map[arch.Opcode]bool{}
	for i, c := range x.Commands {
		require.EqualValues(t, i+1, c.ID)
		require.Zero(t, c.Status)
		opcodes[c.Opcode] = true
		at := []int{c.Doorbell, c.Fetch, c.Fetched, c.Completed, c.Interrupt}
		require.IsIncreasing(t, at)
		for j, role := range []trace.Role{trace.Doorbell, trace.CommandFetch, trace.CommandFetch, trace.Completion, trace.Interrupt} {
			require.Equal(t, role, x.Events[at[j]-1].Role)
			require.Equal(t, c, x.Events[at[j]-1].Command)
		}
	}
	require.Len(t, opcodes, len(arch.Opcodes), "each of them")
	data := func(id uint32) (read, written []uint64) {
		for _, e := range x.Select(trace.Filter{Command: id}) {
			switch {
			case e.Role == trace.DataRead && e.TLP.Kind == pcie.MRd:
				read = append(read, e.TLP.Addr)
			case e.Role == trace.DataWrite:
				written = append(written, e.TLP.Addr)
			}
		}
		return read, written
	}
	for id, want := range map[uint32][2][]uint64{
		12: {}, 13: {{r.host.Address() + row}}, 14: {}, 15: {{r.gpu.Address() + 3*row}}, 17: {nil, {r.host.Address() + 2*row}}, 20: {},
	} {
		read, written := data(id)
		require.Equal(t, want, [2][]uint64{read, written}, "command %d", id)
	}
	_, written := data(23)
	require.ElementsMatch(t, []uint64{r.host.Address() + 0x8000, r.gpu.Address() + 0x3000}, written, "the bitmap and the mailbox")
}

func TestRegisters(t *testing.T) {
	_, x := run(t)
	e := find(t, x, trace.RegisterRead, pcie.CplD)
	require.Equal(t, "id", e.Register)
	require.EqualValues(t, arch.ID, *e.Value)
	require.Equal(t, pcie.MRd, x.Events[e.Request-1].TLP.Kind)
	require.Contains(t, e.Text(), "| register read id = 0x484f544c, answers ")
	e = find(t, x, trace.Doorbell, pcie.MWr)
	require.Contains(t, e.Text(), "| doorbell sq_tail = 0x0")
	require.NotNil(t, find(t, x, trace.MSIXTable, pcie.MWr))
}

func TestFollow(t *testing.T) {
	r, x := run(t)
	way, err := x.Follow(17)
	require.NoError(t, err)
	var b strings.Builder
	require.NoError(t, way.Print(&b))
	require.Regexp(t, `(?s)^command 17: dma_wr\(0x[0-9a-f]+, 0x40, 0x0\): ok, values 0 and 0
  doorbell +\S+ +after 0s
  fetch +\S+ +after \S+
  arrived +\S+ +after \S+
  completion entry +\S+ +after \S+
  interrupt +\S+ +after \S+
.*doorbell.*command fetch.*data write.*completion entry.*interrupt`, b.String())
	require.Len(t, way.Packets, 6)
	require.EqualValues(t, r.host.Address()+2*row, x.Events[way.Packets[3].Packet-1].TLP.Addr)
	_, err = x.Follow(99)
	require.EqualError(t, err, "trace: there is no command 99; the capture has 25, the first is 1 and the last 25")
}

func TestSelect(t *testing.T) {
	r, x := run(t)
	numbers := func(f trace.Filter) int { return len(x.Select(f)) }
	require.Equal(t, len(x.Events), numbers(trace.Filter{}))
	require.Equal(t, 25, numbers(trace.Filter{Types: []string{"interrupt"}}))
	require.Equal(t, 1, numbers(trace.Filter{Types: []string{"function"}}))
	require.Equal(t, 25+25, numbers(trace.Filter{Types: []string{"interrupt", "completion entry"}}))
	first := r.host.Address() + 2*row
	require.Equal(t, 1, numbers(trace.Filter{Addresses: &trace.Range{First: first, Last: first}}), "the write of command 17")
	read := trace.Range{First: r.host.Address() + row + 60, Last: r.host.Address() + row + 63}
	require.Equal(t, 2, numbers(trace.Filter{Addresses: &read}), "the read of command 13 and what answers it")
	id, tag := pcie.NewID(1, 0, 0), uint16(0)
	for _, e := range x.Select(trace.Filter{Requester: &id, Tag: &tag}) {
		require.Equal(t, id, e.TLP.Requester)
		require.Zero(t, e.TLP.Tag)
	}
	require.Positive(t, numbers(trace.Filter{Requester: &id, Tag: &tag}))
	at := x.Events[50].Time
	list := x.Select(trace.Filter{From: at, To: at + 1})
	require.NotEmpty(t, list)
	for _, e := range list {
		require.Equal(t, at, e.Time)
	}
	require.NoError(t, trace.CheckTypes([]string{"MRd", "command fetch"}))
	require.ErrorContains(t, trace.CheckTypes([]string{"MRd", "fetch"}), `there is no type "fetch", expected MRd, MWr,`)
}

// by writes a capture of a device that is set up.
type by struct {
	w  *capture.Writer
	at des.Time
}

func hand(t *testing.T, write func(by)) *trace.Trace {
	x, err := trace.Read(bytes.NewReader(handFile(t, write)))
	require.NoError(t, err)
	return x
}

func handFile(t *testing.T, write func(by)) []byte {
	return writtenFile(t, func(w *capture.Writer) {
		b := by{w: w}
		b.register(arch.CSRSQBaseLo, ring)
		b.register(arch.CSRSQLog2, 15)
		b.register(arch.CSRCQBaseLo, 2*ring)
		b.register(arch.CSRCQLog2, 4)
		b.register(0x8000, interruptAt)
		b.register(0x8004, 0)
		write(b)
	})
}

const interruptAt = 0xfee00000

var function = pcie.NewID(1, 0, 0)

func (b by) register(at uint64, v uint32) {
	b.w.TLP(link.Down, b.at, 0, pcie.NewWrite(0, bar+at, binary.LittleEndian.AppendUint32(nil, v)))
}

// fetch writes the fetch of the command with an id, and its answer.
func (b by) fetch(id uint32) {
	read := pcie.NewRead(function, uint16(id%256), ring, arch.CommandBytes)
	entry := pcie.NewCompletion(read, 0, ring, arch.CommandBytes, arch.CommandBytes)
	binary.LittleEndian.PutUint32(entry.Data[4:], id)
	b.w.TLP(link.Up, b.at, 0, read)
	b.w.TLP(link.Down, b.at, 0, entry)
}

func (b by) write(addr uint64, n int) {
	b.w.TLP(link.Up, b.at, 0, pcie.NewWrite(function, addr, make([]byte, n)))
}

// TestInterruptOfSeveralCommands: an interrupt covers all earlier completed commands without an
// interrupt. A filter finds it with the last of these commands.
func TestInterruptOfSeveralCommands(t *testing.T) {
	x := hand(t, func(b by) {
		b.register(arch.CSRSQTail, 3)
		for id := range uint32(3) {
			b.fetch(id + 1)
		}
		for range 2 {
			b.write(2*ring, arch.CompletionBytes)
		}
		b.write(interruptAt, 4)
		b.write(2*ring, arch.CompletionBytes)
		b.write(interruptAt, 4)
	})
	first := len(x.Events) - 2
	require.Equal(t, trace.Interrupt, x.Events[first-1].Role)
	require.Equal(t, []int{first, first, first + 2}, []int{x.Commands[0].Interrupt, x.Commands[1].Interrupt, x.Commands[2].Interrupt})
	require.Equal(t, x.Commands[1], x.Events[first-1].Command)
	way, err := x.Follow(1)
	require.NoError(t, err)
	require.Equal(t, first, way.Packets[len(way.Packets)-1].Packet)
	for id, want := range map[uint32]int{1: 0, 2: 1, 3: 1} {
		require.Len(t, x.Select(trace.Filter{Command: id, Types: []string{"interrupt"}}), want)
	}
}

// TestFunctionThatIsSetUpAgain: a write of the BAR removes the rings and the commands in flight. A
// new ring starts empty.
func TestFunctionThatIsSetUpAgain(t *testing.T) {
	x := hand(t, again)
	require.Len(t, x.Commands, 2)
	require.Zero(t, x.Commands[0].Completed)
	require.Len(t, x.Select(trace.Filter{Types: []string{"data write"}}), 1, "what was a completion entry before")
	require.Equal(t, len(x.Events)-2, x.Commands[1].Doorbell, "one command was announced")
	_, err := x.Follow(1)
	require.ErrorContains(t, err, "there are several commands 1, at packets")
}

func again(b by) {
	b.register(arch.CSRSQTail, 5)
	b.fetch(1)
	b.w.TLP(link.Down, 0, 0, pcie.NewConfigWrite(0, 1, function, config.BAR0, bar, 0xf))
	b.write(2*ring, arch.CompletionBytes)
	b.register(arch.CSRSQBaseLo, ring)
	b.register(arch.CSRSQTail, 1)
	b.fetch(1)
}

// TestLostOnTheWay: registers, doorbells and completions that are lost on the link have no effect
// on the device. The delay of a late completion adds to its latency.
func TestLostOnTheWay(t *testing.T) {
	x := hand(t, lost)
	require.Len(t, x.Commands, 2)
	require.Equal(t, []int{9, 9}, []int{x.Commands[0].Doorbell, x.Commands[1].Doorbell})
	require.Equal(t, trace.Doorbell, x.Events[7].Role)
	require.Zero(t, x.Commands[0].Fetched)
	require.EqualValues(t, 2, x.Commands[1].ID)
	s := x.Summary(1)
	require.Equal(t, trace.CommandFetch, s.Reads[0].Role)
	require.Equal(t, 1, s.Reads[0].Unanswered)
	require.Equal(t, des.Microsecond, s.Reads[0].Max)
	require.Len(t, x.Select(trace.Filter{Types: []string{"interrupt"}}), 1)
}

func lost(b by) {
	drop := func(p *pcie.TLP) { b.w.TLP(link.Down, 0, capture.Injected|capture.Dropped, p) }
	drop(pcie.NewWrite(0, bar+arch.CSRSQTail, []byte{1, 0, 0, 0}))
	b.register(arch.CSRSQTail, 2)
	read := pcie.NewRead(function, 1, ring, arch.CommandBytes)
	b.w.TLP(link.Up, 0, 0, read)
	drop(pcie.NewCompletion(read, 0, ring, arch.CommandBytes, arch.CommandBytes))
	drop(pcie.NewWrite(0, bar+arch.CSRSQBaseLo, make([]byte, 4)))
	drop(pcie.NewWrite(0, bar+0x8000, make([]byte, 4)))
	drop(pcie.NewConfigWrite(0, 1, function, config.BAR0, bar, 0xf))
	b.w.Delay(link.Down, 0, des.Microsecond)
	read = pcie.NewRead(function, 2, ring, arch.CommandBytes)
	entry := pcie.NewCompletion(read, 0, ring, arch.CommandBytes, arch.CommandBytes)
	entry.Data[4] = 2
	b.w.TLP(link.Up, 0, 0, read)
	b.w.TLP(link.Down, 0, capture.Injected, entry)
	b.write(interruptAt, 4)
}

// TestCompletionEntryThatComesTwice: a duplicate completion entry does not complete the next
// command.
func TestCompletionEntryThatComesTwice(t *testing.T) {
	x := hand(t, func(b by) {
		b.register(arch.CSRSQTail, 2)
		b.fetch(1)
		b.fetch(2)
		b.write(2*ring, arch.CompletionBytes)
		b.w.TLP(link.Up, 0, capture.Injected|capture.Added, pcie.NewWrite(function, 2*ring, make([]byte, arch.CompletionBytes)))
	})
	require.NotZero(t, x.Commands[0].Completed)
	require.Zero(t, x.Commands[1].Completed)
	require.Equal(t, trace.Completion, x.Events[len(x.Events)-1].Role)
	require.Nil(t, x.Events[len(x.Events)-1].Command)
}

// TestDoorbellsOfTooMuch: if a driver announces more commands than a ring can hold, the excess
// commands have no doorbell.
func TestDoorbellsOfTooMuch(t *testing.T) {
	const most = 1 << 15
	x := hand(t, func(b by) {
		for i := range uint32(100) {
			b.register(arch.CSRSQTail, 0xffff-i) // 65,535 more each time
		}
		for id := range uint32(most + 1) {
			b.fetch(id + 1)
		}
	})
	require.Len(t, x.Commands, most+1)
	require.Equal(t, 8, x.Commands[0].Doorbell)
	require.Equal(t, 8, x.Commands[most-1].Doorbell)
	require.Zero(t, x.Commands[most].Doorbell)
}

// TestEveryTLP: a capture contains all TLPs on the link, starting with the first configuration
// request.
func TestEveryTLP(t *testing.T) {
	r, x := run(t)
	counts := map[link.Direction]uint64{}
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind == capture.KindTLP {
			counts[e.Dir]++
		}
	}
	for _, dir := range []link.Direction{link.Down, link.Up} {
		require.Equal(t, r.s.Slot().Stats(dir).TLPs, counts[dir])
	}
	require.Equal(t, "CfgRd0 00:00.0>01:00.0 tag=000 @000 be=f | configuration read 0x000", x.Events[1].Text())
	require.Regexp(t, `^CplD .* len=1 \| configuration read 0x000 = 0x[0-9a-f]+, answers 2$`, x.Events[2].Text())
	require.NotNil(t, find(t, x, trace.ConfigWrite, pcie.CfgWr0))
	require.NotNil(t, find(t, x, trace.ConfigWrite, pcie.Cpl))
	for _, name := range []string{"CfgRd0", "CfgWr1", "configuration read", "delay", "MsgD"} {
		require.NoError(t, trace.CheckTypes([]string{name}))
	}
	s := x.Summary(1)
	require.Equal(t, trace.ConfigRead, s.Reads[1].Role)
	require.Equal(t, 4*s.Reads[1].N, s.Reads[1].Bytes)
}

// TestSummary checks the statistics of a handwritten capture: two overlapping reads, a read with
// two completions, and an unanswered read.
func TestSummary(t *testing.T) {
	id := pcie.NewID(1, 0, 0)
	a, b, c := pcie.NewRead(id, 1, 0x1000, 128), pcie.NewRead(id, 2, 0x2000, 64), pcie.NewRead(id, 3, 0x3000, 64)
	answer := func(q *pcie.TLP, addr uint64, left, n int) *pcie.TLP { return pcie.NewCompletion(q, 0, addr, left, n) }
	x := written(t, func(w *capture.Writer) {
		w.TLP(link.Up, 1000, 0, a)
		w.TLP(link.Up, 2000, 0, b)
		w.TLP(link.Down, 5000, 0, answer(a, 0x1000, 128, 64))
		w.TLP(link.Down, 6000, 0, answer(b, 0x2000, 64, 64))
		w.TLP(link.Down, 9000, 0, answer(a, 0x1040, 64, 64))
		w.TLP(link.Up, 10000, 0, c)
	})
	s := x.Summary(10)
	require.EqualValues(t, 10000, s.Duration)
	require.Equal(t, []trace.ReadFigures{{Role: trace.DataRead, N: 3, Unanswered: 1, Bytes: 256, P50: 4000, P99: 8000, Max: 8000, Outstanding: 2}}, s.Reads)
	require.Equal(t, []trace.Traffic{
		{Direction: "down", Type: "CplD", Role: trace.DataRead, N: 3, WireBytes: 3 * (12 + 64 + 8), PayloadBytes: 192},
		{Direction: "up", Type: "MRd", Role: trace.DataRead, N: 3, WireBytes: 3 * (12 + 8)},
	}, s.TLPs)
	require.Len(t, s.Intervals, 10)
	var down, up float64
	most := 0
	for i, v := range s.Intervals {
		require.Equal(t, des.Time(i)*1001, v.Start)
		down, up, most = down+v.Down*1.001, up+v.Up*1.001, max(most, v.Outstanding)
	}
	require.InDelta(t, 3*84, down, 1e-9)
	require.InDelta(t, 3*20, up, 1e-9)
	require.Equal(t, 2, most)
	require.Equal(t, []int{1, 2, 2, 2, 2, 2, 1, 1, 1, 1}, outstanding(s))
}

// TestReadsThatAreGivenUp: an unanswered read ends when its tag is reused or the device is set up
// again.
func TestReadsThatAreGivenUp(t *testing.T) {
	x := written(t, func(w *capture.Writer) {
		for i := range des.Time(3) {
			w.TLP(link.Up, 1000*i, 0, pcie.NewRead(function, 1, 0x1000, 64))
			w.TLP(link.Up, 1000*i, 0, pcie.NewRead(function, uint16(2+i), 0x1000, 64))
		}
	})
	reads := x.Summary(2).Reads
	require.Equal(t, []trace.ReadFigures{{Role: trace.DataRead, N: 6, Unanswered: 6, Bytes: 384, Outstanding: 4}}, reads)

	x = written(t, func(w *capture.Writer) {
		w.TLP(link.Up, 0, 0, pcie.NewRead(function, 1, 0x1000, 64))
		w.TLP(link.Down, 1000, 0, pcie.NewConfigWrite(0, 1, function, config.BAR0, bar, 0xf))
		w.TLP(link.Up, 2000, 0, pcie.NewRead(function, 2, 0x1000, 64))
	})
	reads = x.Summary(2).Reads
	require.Equal(t, []trace.ReadFigures{{Role: trace.DataRead, N: 2, Unanswered: 2, Bytes: 128, Outstanding: 1}}, reads)
}

func outstanding(s trace.Summary) []int {
	var list []int
	for _, v := range s.Intervals {
		list = append(list, v.Outstanding)
	}
	return list
}

// TestLittle reads an empty capture, and a capture without a function packet.
func TestLittle(t *testing.T) {
	x := written(t, func(*capture.Writer) {})
	require.Empty(t, x.Summary(10).Reads)
	require.Empty(t, x.Summary(10).Intervals)
	_, err := x.Follow(1)
	require.EqualError(t, err, "trace: there is no command 1; the capture has none")
	x = written(t, func(w *capture.Writer) {
		w.TLP(link.Down, 5, 0, pcie.NewCompletion(pcie.NewRead(0, 9, 0x10, 4), 0, 0x10, 4, 4))
	})
	require.Equal(t, trace.Unexpected, x.Events[1].Role)
}

func TestHTML(t *testing.T) {
	_, x := run(t)
	var b strings.Builder
	require.NoError(t, x.WriteHTML(&b, "run & <more>.pcapng"))
	require.Equal(t, 3, strings.Count(b.String(), "<svg"))
	require.Contains(t, b.String(), "<h1>run &amp; &lt;more&gt;.pcapng</h1>")
	require.NotContains(t, b.String(), "<script")
	require.Equal(t, 5, strings.Count(b.String(), `<div class="scroll" tabindex="0"`), "what is wider than the page scrolls by itself")
	d := xml.NewDecoder(strings.NewReader(b.String()))
	d.Strict = true
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else {
			require.NoError(t, err)
		}
	}
}
