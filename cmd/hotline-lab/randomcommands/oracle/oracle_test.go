package oracle

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/shell"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// bench acts as an accelerator. It sends one descriptor or completion in each cycle.
type bench struct {
	*testing.T
	*Oracle
	now uint64
	sum uint32 // checksum of the current command's writes
}

const (
	rowBytes = 16 // one beat
	hostRows = 0x1000
	gpuRows  = 0x2000
	lists    = 0x8000
)

// newBench configures rows of one beat, two slots of table 1 and one GPU.
func newBench(t *testing.T) *bench {
	b := &bench{T: t, Oracle: New(arch.Small()), now: 1}
	for reg, v := range map[uint64]uint64{
		RegRowLog2: 4, RegSlots: 2, RegGPUs: 1, RegTables: 2, RegScale: uint64(math.Float32bits(2)), RegTable + 1: hostRows,
		RegSlot: 1<<32 | 1<<40, RegSlot + 1: 1<<32 | 1<<41, RegHot: gpuRows, RegPooled: 0x3000, RegGrad: 0x4000, RegMailbox: 0x5000,
	} {
		b.do(OK, SWrite, reg, v)
	}
	return b
}

func (b *bench) tick() uint64 {
	b.now++
	return b.now
}

func values(v ...float32) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func words(v ...uint32) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}

// rowOf returns the bytes of a row of equal values.
func rowOf(v float32) []byte { return values(v, v, v, v) }

// fetch records the read of a command.
func (b *bench) fetch(op, flag int, operands ...uint64) *shell.Read {
	var c Command
	c[0], c[1] = uint32(op|flag<<8), uint32(b.known)
	for i, v := range operands {
		c[2+2*i], c[3+2*i] = uint32(v), uint32(v>>32)
	}
	c.Seal()
	r := &shell.Read{Len: CommandBytes, Data: c.Bytes(), Command: true, Ended: b.tick()}
	b.Fetched(r)
	return r
}

// read records a read that has ended. Its code must be 0 if data is complete.
func (b *bench) read(addr uint64, peer bool, data []byte, code int) {
	require.NoError(b, b.ReadIssued(&shell.Read{Addr: addr, Len: len(data), Peer: peer, Data: data, Code: code, Ended: b.tick()}))
}

func (b *bench) sent(addr uint64, data []byte, code int) {
	for beat := range slices.Chunk(data, rowBytes) {
		b.sum += crc32.Checksum(beat, crc32.MakeTable(crc32.Castagnoli))
	}
	require.NoError(b, b.WriteIssued(&shell.Write{Addr: addr, Len: len(data), Data: data, Code: code, Ended: b.tick()}))
}

// end records the completion of the current command.
func (b *bench) end(status int, values ...uint32) error {
	c := Completion{ID: uint32(b.known), Status: status, Head: uint16(b.known + 1), Sum: b.sum, Issued: b.tick()}
	copy(c.Values[:], values)
	b.sum = 0
	return b.Complete(c)
}

// do runs a command that causes no reads or writes before its completion.
func (b *bench) do(status, op int, operands ...uint64) {
	b.fetch(op, 0, operands...)
	require.NoError(b, b.end(status))
}

// ahead prefetches a row.
func (b *bench) ahead(addr uint64, data []byte, code int) {
	b.do(OK, DMARead, addr, rowBytes)
	b.read(addr, false, data, code)
}

func TestRowsAndVectors(t *testing.T) {
	b := newBench(t)
	b.ahead(hostRows, rowOf(3), 0)
	b.ahead(hostRows+64, rowOf(4), 0)
	require.Equal(t, 2, b.RowsAhead())
	b.do(OK, VMul, uint64(math.Float32bits(5)))
	b.do(OK, VAdd)
	b.fetch(DMAWrite, 0, 0x6000, rowBytes)
	b.sent(0x6000, rowOf(19), 0)
	require.NoError(t, b.end(OK))
	b.do(Empty, DMAWrite, 0x6000, rowBytes)
	b.do(NoRow, VAdd)
	require.NoError(t, b.Idle())
	_, read, written := b.Counters()
	require.Equal(t, Range{2, 2}, read)
	require.Equal(t, Range{1, 1}, written)
}

// TestSum checks that the checksum of the writes is only significant with status 0.
func TestSum(t *testing.T) {
	b := newBench(t)
	b.ahead(hostRows, rowOf(3), 0)
	b.do(OK, VMul, uint64(math.Float32bits(5)))
	b.fetch(DMAWrite, 0, 0x6000, rowBytes)
	b.sent(0x6000, rowOf(15), 0)
	b.sum++
	require.ErrorContains(t, b.end(OK), "of what was written, expected")
	b = updated(t, [4]int{}, 2, 2)
	b.sum++
	require.NoError(t, b.end(2))
}

// TestWrongRows replays observations from an accelerator that reported errors in the wrong order.
func TestWrongRows(t *testing.T) {
	fresh := func() *bench {
		b := newBench(t)
		b.ahead(hostRows, rowOf(3), 0)
		b.ahead(hostRows+64, rowOf(4), 11)
		return b
	}
	b := fresh()
	b.fetch(VAdd, 1<<0)
	require.ErrorContains(t, b.end(11), "status 11, expected [0]", "the status of another row")

	b = fresh()
	b.fetch(VAdd, 1)
	require.NoError(t, b.end(OK))
	b.fetch(VAdd, 1)
	require.ErrorContains(t, b.end(OK), "status 0, expected [11]", "a failed row")

	b = fresh()
	b.fetch(VAdd, 1)
	require.NoError(t, b.end(OK))
	b.fetch(VAdd, 1)
	require.NoError(t, b.end(11))
	b.fetch(DMAWrite, 0, 0x6000, rowBytes)
	b.sent(0x6000, rowOf(3), 0)
	require.ErrorContains(t, b.end(OK), "status 0, expected [39]", "an older row")

	for _, c := range []struct {
		addr uint64
		data []byte
		want string
	}{
		{0x6000, rowOf(4), "write to 0x6000, 16 bytes"}, {0x6010, rowOf(3), "write to 0x6010, 16 bytes"}, {0x6000, rowOf(3)[:12], "write to 0x6000, 12 bytes"},
		{0, nil, "completed without its write to 0x6000"},
	} {
		b = fresh()
		b.fetch(VAdd, 1)
		require.NoError(t, b.end(OK))
		b.fetch(DMAWrite, 0, 0x6000, rowBytes)
		if c.data != nil {
			b.sent(c.addr, c.data, 0)
		}
		require.ErrorContains(t, b.end(OK), c.want)
	}

	b = fresh()
	b.sent(0x7000, rowOf(1), 0)
	require.ErrorContains(t, b.Idle(), "a write to 0x7000, 16 bytes, that no command asked for")
	b = fresh()
	b.do(OK, DMARead, hostRows, rowBytes)
	require.ErrorContains(t, b.Idle(), "a row at 0x1000 was asked for, but never read")
	require.ErrorContains(t, b.ReadIssued(&shell.Read{Addr: hostRows, Len: rowBytes, Peer: true}), "peer true; expected 0x1000, 16 bytes, peer false")
}

func TestCommandsThatCannotBeRead(t *testing.T) {
	b := newBench(t)
	for _, spoil := range []func(r *shell.Read){
		func(r *shell.Read) { r.Poisoned = true },
		func(r *shell.Read) { r.Code = 1 },
		func(r *shell.Read) { r.Data = r.Data[:48] },
	} {
		spoil(b.fetch(Fence, 0))
		require.NoError(t, b.Complete(Completion{Status: Unreadable, Head: uint16(b.known + 1)}))
	}
	b.fetch(Fence, 0).Data[60]++
	require.NoError(t, b.end(BadCRC))
	b.fetch(Fence, 0).Poisoned = true
	require.ErrorContains(t, b.end(OK), "status 0, expected [35]", "executed all the same")
	require.ErrorContains(t, b.end(OK), "a completion before its command was read")
}

func TestRefusals(t *testing.T) {
	b := newBench(t)
	half := uint64(arch.Small().HalfWords())
	for _, c := range []struct {
		status   int
		op       int
		operands []uint64
	}{
		{BadOpcode, 0x07, nil}, {BadOpcode, 0, nil}, {BadOpcode, 0x16, nil}, {OK, Fence, []uint64{1, 1, 1}},
		{OutOfRange, DMARead, []uint64{hostRows + 2, rowBytes}}, {OutOfRange, DMARead, []uint64{hostRows, rowBytes + 4}}, {OutOfRange, DMAWrite, []uint64{hostRows, 0}},
		{OutOfRange, GPURead, []uint64{uint64(arch.Small().GPUs), 0}}, {OutOfRange, GPURead, []uint64{0, 4096}},
		{OutOfRange, Learn, []uint64{lists, 0}}, {OutOfRange, Learn, []uint64{lists, half/2 + 1}}, {OutOfRange, Learn, []uint64{lists, 1 << 63}},
		{OutOfRange, Classify, []uint64{lists, 1, 1}}, {OutOfRange, Update, []uint64{lists, half/2 + 1}}, {OutOfRange, HotSet, []uint64{2}},
		{NotHeld, Gather, []uint64{0, 1}}, {NoRow, VMul, nil}, {NoRow, VAdd, nil}, {Empty, DMAWrite, []uint64{0, rowBytes}},
		{OutOfRange, SWrite, []uint64{0x20, 0}}, {OutOfRange, SWrite, []uint64{0x225, 0}}, {OutOfRange, SWrite, []uint64{0, 2}},
		{OutOfRange, SWrite, []uint64{RegSlots, 65}}, {OK, SWrite, []uint64{RegSlots, 64}}, {OK, SWrite, []uint64{RegSlots, 2}}, {OutOfRange, SWrite, []uint64{RegSlots, 1}},
		{OutOfRange, SWrite, []uint64{RegTables, 33}}, {OK, SWrite, []uint64{RegTables, 32}}, {OutOfRange, SWrite, []uint64{RegGPUs, 9}}, {OK, SWrite, []uint64{RegGPUs, 8}},
		{OutOfRange, SWrite, []uint64{RegSlot, 1 << 42}}, {OutOfRange, SWrite, []uint64{RegSlot, 32 << 32}}, {OutOfRange, SWrite, []uint64{RegSlot, 1 << 22}},
		{OutOfRange, SWrite, []uint64{RegRowLog2, 10}}, {OutOfRange, SWrite, []uint64{RegRowLog2, 3}}, {OK, SWrite, []uint64{RegRowLog2, 9}},
	} {
		b.fetch(c.op, 0, c.operands...)
		require.NoError(t, b.end(c.status), "opcode %x %x", c.op, c.operands)
	}
	b = newBench(t)
	for range arch.Small().Tags {
		b.do(OK, DMARead, hostRows, rowBytes)
	}
	b.do(TooMany, GPURead, 0, 0)
	b.do(RowAhead, Learn, lists, 1)
	b.do(RowAhead, SWrite, RegRowLog2, 4)
	b.do(OutOfRange, Learn, lists, 0)
}

// TestUnwritten has commands that need an address or a size that was not written.
func TestUnwritten(t *testing.T) {
	b := newBench(t)
	without := func(status, op int, missing uint64, operands ...uint64) {
		v := b.regs[missing]
		delete(b.regs, missing)
		b.do(status, op, operands...)
		b.regs[missing] = v
	}
	without(NoAddress, GPURead, RegHot, 0, 1)
	without(NoAddress, Learn, RegSlot+1, lists, 1)
	without(NoAddress, Classify, RegMailbox, lists, 1, 0x6000)
	without(NotHeld, Gather, RegPooled, 0, 1)
	without(NoAddress, Update, RegGrad, lists, 1)
	without(OutOfRange, Update, RegGPUs, lists, 1)
	without(OutOfRange, Learn, RegSlots, lists, 1)
	without(OutOfRange, GPURead, RegRowLog2, 0, 1)
	b, _ = learned(t, 1)
	require.NoError(t, b.end(OK, 1, 4))
	for _, missing := range []uint64{RegSlot, RegHot, RegPooled, RegTable + 1} {
		without(NoAddress, Gather, missing, 0, 1)
	}
	b.fetch(Update, 0, lists, 2)
	b.read(lists, false, words(1, 5, 2, 6), 0)
	require.NoError(t, b.end(NoTable))
	require.ErrorContains(t, updated(t, [4]int{}, 0, 2).end(NoTable), "status 42, expected [0]")
	delete(b.regs, RegTable+1)
	b.fetch(Update, 0, lists, 1)
	b.read(lists, false, words(1, 5), 0)
	b.read(0x4000, true, rowOf(1), 0)
	b.read(hostRows+5*rowBytes, false, rowOf(1), 0)
	require.ErrorContains(t, b.end(OK, 1), "status 0, expected [42]")
}

// learned learns from and classifies inputs. Both rows of input 0 are hot.
func learned(t *testing.T, bitmap byte) (b *bench, block uint64) {
	b = newBench(t)
	b.fetch(Learn, 0, lists, 1)
	b.read(lists, false, words(7, 7), 0)
	require.NoError(t, b.end(OK, 2))
	b.fetch(Classify, 0, lists, 2, 0x6000)
	b.read(lists, false, words(7, 7), 0)
	b.read(lists+8, false, words(7, 9), 0)
	for _, to := range []uint64{0x6000, 0x5000} {
		b.sent(to, append([]byte{bitmap}, make([]byte, 15)...), 0)
	}
	return b, b.set(7) * 8
}

func TestMiniBatch(t *testing.T) {
	b, block := learned(t, 1)
	require.NoError(t, b.end(OK, 1, 4))
	b.fetch(HotSet, 0, 0x7000)
	b.sent(0x7000, append(words(7, uint32(block)+3), words(^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0),
		^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0))...), 0)
	require.NoError(t, b.end(OK, 1))
	gather := func(hot uint64, sum float32) error {
		b.fetch(Gather, 0, 0, 2)
		b.read(gpuRows+hot*rowBytes, true, rowOf(1), 0)
		b.read(hostRows+9*rowBytes, false, rowOf(2), 0)
		b.sent(0x3000+rowBytes, rowOf(sum), 0)
		return b.end(OK, 1, 1)
	}
	require.NoError(t, gather(block+3, 3))
	require.ErrorContains(t, gather(block+2, 3), "is in block")
	b, block = learned(t, 1)
	require.NoError(t, b.end(OK, 1, 4))
	require.ErrorContains(t, gather(block, 4), "write to 0x3010")
	b, block = learned(t, 1)
	require.NoError(t, b.end(OK, 1, 4))
	require.ErrorContains(t, gather(block+8, 3), "its set is")
}

// TestEpochs reads the hot set out repeatedly. Each time it lists the sets that have changed in
// the learning epoch, which begins with the first learn after a read-out.
func TestEpochs(t *testing.T) {
	b := newBench(t)
	learn := func(id uint32) {
		b.fetch(Learn, 0, lists, 1)
		b.read(lists, false, words(id, id), 0)
		require.NoError(t, b.end(OK, 2))
	}
	readOut := func(ids ...uint32) error {
		var list []uint32
		for _, id := range ids {
			list = append(list, id, uint32(b.set(id)*8))
		}
		n := uint32(len(ids))
		for len(list)%16 != 0 {
			list = append(list, ^uint32(0))
		}
		b.fetch(HotSet, 0, 0x7000)
		if n > 0 {
			b.sent(0x7000, words(list...), 0)
		}
		return b.end(OK, n)
	}
	learn(7)
	require.NoError(t, readOut(7))
	require.NoError(t, readOut(7))
	learn(9)
	learn(7)
	require.NoError(t, readOut(9))
	learn(9)
	require.NoError(t, readOut())
	require.ErrorContains(t, readOut(7), "is listed, but no row of it was learned")
	learn(11)
	require.ErrorContains(t, readOut(), "row id 0xb was learned and not hot before")
}

// TestWrongBitmaps has invalid bitmaps.
func TestWrongBitmaps(t *testing.T) {
	b, _ := learned(t, 1)
	require.ErrorContains(t, b.end(OK, 2, 4), "value0 is 2, expected 1")
	b, _ = learned(t, 3)
	require.ErrorContains(t, b.end(OK, 2, 4), "row id 0x9 is hot, but was never learned")
	b, _ = learned(t, 5)
	require.ErrorContains(t, b.end(OK, 2, 4), "ends with a 1")
	b, _ = learned(t, 0)
	b.writes = b.writes[:1]
	require.ErrorContains(t, b.end(OK, 0, 4), "completed with 0 of 16 bytes of bitmap 1")
}

// updated updates two rows. rows contains the outcomes of their reads, and code is the outcome of
// the first write.
func updated(t *testing.T, rows [4]int, code int, wrote int) *bench {
	b := newBench(t)
	b.fetch(Update, 0, lists, 2)
	b.read(lists, false, words(1, 5, 0xFFFF_FFE1, 6), 0)
	for k := range uint64(2) {
		b.read(0x4000+k*rowBytes, true, rowOf(float32(k+1)), rows[2*k])
	}
	for k := range uint64(2) {
		b.read(hostRows+(5+k)*rowBytes, false, rowOf(10), rows[2*k+1])
	}
	for k := range uint64(wrote) {
		b.sent(hostRows+(5+k)*rowBytes, rowOf(float32(12+2*k)), code)
		code = 0
	}
	return b
}

func TestUpdate(t *testing.T) {
	for _, c := range []struct {
		rows         [4]int
		write, wrote int
		status       int
		violation    string
	}{
		{status: OK, wrote: 2},
		{status: OK, wrote: 1, violation: "completed without its write"},
		{rows: [4]int{2: 8, 3: 9}, status: 8, wrote: 0},
		{rows: [4]int{2: 8, 3: 9}, status: 9, wrote: 0, violation: "status 9, expected [8]"},
		{rows: [4]int{1: 8}, status: 8, wrote: 0},
		{write: 2, status: 2, wrote: 1},
		{write: 2, status: 2, wrote: 2},
		{write: 2, status: 2, wrote: 0, violation: "completed without its write"},
		{write: 2, status: OK, wrote: 2, violation: "status 0, expected [2]"},
		{rows: [4]int{3: 8}, write: 2, status: 8, wrote: 1},
	} {
		err := updated(t, c.rows, c.write, c.wrote).end(c.status, 2)
		if c.violation == "" {
			require.NoError(t, err, "%+v", c)
		} else {
			require.ErrorContains(t, err, c.violation, "%+v", c)
		}
	}
	b := updated(t, [4]int{1: 8}, 0, 1)
	require.NoError(t, b.end(8))
	require.ErrorContains(t, b.Idle(), "that no command asked for", "a row behind one that failed")
}

// TestInterrupted has commands that a reset interrupts.
func TestInterrupted(t *testing.T) {
	b := updated(t, [4]int{}, 0, 1)
	require.NoError(t, b.Interrupted())
	b = updated(t, [4]int{}, 0, 2)
	b.writes[1].Data = b.writes[1].Data[:0]
	require.NoError(t, b.Interrupted())
	b = updated(t, [4]int{}, 0, 2)
	b.writes = b.writes[1:]
	require.ErrorContains(t, b.Interrupted(), "write to 0x1060")
	b = updated(t, [4]int{3: 1}, 0, 2)
	require.ErrorContains(t, b.Interrupted(), "that no command asked for")
	b = newBench(t)
	b.read(hostRows, false, rowOf(1), 0)
	require.ErrorContains(t, b.Interrupted(), "a read of 0x1000, 16 bytes, that no command asked for")
}

// TestEndless has a command that never ends.
func TestEndless(t *testing.T) {
	b := newBench(t)
	var err error
	for n := 0; n < 100_000 && err == nil; n++ {
		err = b.ReadIssued(&shell.Read{})
	}
	require.ErrorContains(t, err, "reads or writes of a command")
}

func TestVectors(t *testing.T) {
	nan, inf := uint32(0xFFC1_2345), math.Float32bits(float32(math.Inf(1)))
	v := vector{nan, inf, 1, 0x8000_0000}
	require.Equal(t, vector{0x7FC0_0000, 0x7FC0_0000, 2, 0x8000_0000}, v.plus(vector{0, inf | 1<<31, 1, 0x8000_0000}))
	require.Equal(t, vector{0x7FC0_0000, 0x7FC0_0000, 0, 0x8000_0000}, v.times(0))
}
