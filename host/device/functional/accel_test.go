package functional_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

func floatBits(f float32) uint32 { return math.Float32bits(f) }

// TestSizesAreChecked: the error lists all invalid sizes.
func TestSizesAreChecked(t *testing.T) {
	p := arch.Small()
	p.Engines, p.GPUs = 3, 16
	_, err := functional.New(des.NewKernel(), p, 1000, link.DefaultEndpointConfig())
	require.EqualError(t, err, "functional: engines is 3; expected a power of two from 4 to 256\ngpus is 16; expected a power of two from 1 to 8")
	_, err = functional.New(des.NewKernel(), arch.Small(), 0, link.DefaultEndpointConfig())
	require.EqualError(t, err, "functional: clock period 0s, expected above 0")
}

func TestGeometry(t *testing.T) {
	r := newHarness(t, 2, driver.DefaultOptions())
	require.Equal(t, arch.Geometry{Engines: 8, Banks: 8, Blocks: 4096, Ways: 8, StreamBytes: 16, Tags: 128,
		HalfWords: 16384, Slots: 64, Tables: 32, GPUs: 8, IDBits: 22, VectorValues: 128}, r.drv.Geometry())
}

func TestTableICommands(t *testing.T) {
	r := newHarness(t, 2, driver.DefaultOptions())
	r.configure()
	out := r.alloc(r.s.Host, rowBytes)
	cold, hot := r.row(r.tables[1], 7), r.row(r.gpus[1].hot, 33)
	at := r.tables[1].Address() + 7*rowBytes

	// Rows are used in request order.
	r.do(driver.DMARead(at, rowBytes))
	r.do(driver.GPURead(1, 33))
	r.do(driver.VMul(3))
	r.do(driver.VAdd(false))
	r.do(driver.DMAWrite(out.Address(), rowBytes))
	r.do(driver.Fence())
	got := r.row(out, 0)
	for i := range got {
		require.Equal(t, float32(cold[i]*3)+hot[i], got[i])
	}

	r.do(driver.DMARead(at, rowBytes))
	r.do(driver.VAdd(true))
	r.do(driver.DMAWrite(out.Address(), rowBytes))
	require.Equal(t, cold, r.row(out, 0))
}

func TestNoNumberIsTheQuietNaN(t *testing.T) {
	r := newHarness(t, 1, driver.DefaultOptions())
	r.configure()
	in := make([]float32, rowBytes/4)
	in[0], in[1] = float32(math.Inf(1)), math.Float32frombits(0xffc12345)
	require.NoError(t, r.tables[0].WriteFloat32s(0, in))
	r.do(driver.DMARead(r.tables[0].Address(), rowBytes))
	r.do(driver.VMul(0))
	r.do(driver.DMAWrite(r.tables[0].Address(), rowBytes))
	got := r.row(r.tables[0], 0)
	require.EqualValues(t, 0x7fc00000, floatBits(got[0]))
	require.EqualValues(t, 0x7fc00000, floatBits(got[1]))
}

// TestMiniBatch learns, classifies, gathers and updates, and compares each result with a plain Go
// implementation.
func TestMiniBatch(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		t.Run(fmt.Sprint(gpus, " GPUs"), func(t *testing.T) {
			r := newHarness(t, gpus, driver.DefaultOptions())
			r.configure()
			learned := r.batch(200, 40)
			require.EqualValues(t, 600, r.do(driver.Learn(0, r.place(0, learned), 200)).Value0)
			hot := r.hotSet()
			require.Greater(t, len(hot), 60)
			for id := range hot {
				require.Less(t, id%tableRows, uint32(40))
			}

			// A second mini-batch goes to the other half before the first is gathered.
			n := 300
			words := r.batch(n, 50)
			classified := r.do(driver.Classify(0, r.place(0, words), n, r.bitmap.Address()))
			bitmap := r.checkBitmaps(words, hot, classified)
			r.do(driver.Classify(1, r.place(1, r.batch(n, 100)), n, r.list.Address()))

			got := r.do(driver.Gather(0, n))
			r.checkGather(words, bitmap, hot, got)
			r.checkUpdate(r.batch(50, 100))
		})
	}
}

// checkBitmaps checks the bitmap in host memory and in the mailboxes, and returns it.
func (r *harness) checkBitmaps(words []uint32, hot map[uint32]uint32, got driver.Completion) []bool {
	n := len(words) / slots
	want, popular := make([]bool, n), 0
	for i := range want {
		want[i] = true
		for s := range slots {
			_, hit := hot[firstID[s]+words[i*slots+s]]
			want[i] = want[i] && hit
		}
		if want[i] {
			popular++
		}
	}
	require.NotZero(r.t, popular)
	require.Less(r.t, popular, n)
	require.EqualValues(r.t, popular, got.Value0)
	require.EqualValues(r.t, len(words), got.Value1)
	require.NoError(r.t, r.s.FlushGPUs())
	regions := map[string]interface{ Read(int, []byte) error }{"host": r.bitmap}
	for i, g := range r.gpus {
		regions[fmt.Sprint("GPU ", i)] = g.mailbox
	}
	for name, region := range regions {
		b := make([]byte, (n+127)/128*16)
		require.NoError(r.t, region.Read(0, b))
		for i := range len(b) * 8 {
			require.Equal(r.t, i < n && want[i], b[i/8]>>(i%8)&1 != 0, "%s, input %d", name, i)
		}
	}
	return want
}

func (r *harness) checkGather(words []uint32, popular []bool, hot map[uint32]uint32, got driver.Completion) {
	require.NoError(r.t, r.s.FlushGPUs())
	var inputs []int
	for i, p := range popular {
		if !p {
			inputs = append(inputs, i)
		}
	}
	source, hotRows, coldRows, j := 0, 0, 0, 0
	for group := range slices.Chunk(inputs, arch.Small().Geometry().Group(rowBytes)) { // inputs of a group are interleaved
		vectors := make([][2][]float32, len(group))
		for s := range slots {
			for k, i := range group {
				word, v := words[i*slots+s], &vectors[k][tableOf[s]]
				row := r.row(r.tables[tableOf[s]], int(word))
				if block, hit := hot[firstID[s]+word]; hit {
					row = r.row(r.gpus[source].hot, int(block)) // hot rows differ between GPUs
					source = (source + 1) % len(r.gpus)
					hotRows++
				} else {
					coldRows++
				}
				if *v == nil {
					*v = row
				} else {
					for e := range *v {
						(*v)[e] += row[e]
					}
				}
			}
		}
		for k, i := range group {
			g := r.gpus[j%len(r.gpus)]
			for table, want := range vectors[k] {
				require.Equal(r.t, want, r.row(g.pooled, j/len(r.gpus)*2+table), "input %d, table %d", i, table)
			}
			j++
		}
	}
	require.EqualValues(r.t, hotRows, got.Value0)
	require.EqualValues(r.t, coldRows, got.Value1)
	require.NotZero(r.t, hotRows)
	require.NotZero(r.t, coldRows)
}

// checkUpdate updates the rows with these indices, alternating between the tables.
func (r *harness) checkUpdate(indices []uint32) {
	var list []uint32
	want := map[[2]int][]float32{}
	for _, index := range indices {
		k, table := len(list)/2, len(list)/2%2
		key := [2]int{table, int(index)}
		if want[key] != nil {
			continue
		}
		list = append(list, uint32(table), index)
		row, grad := r.row(r.tables[table], int(index)), r.row(r.gpus[k%len(r.gpus)].grad, k/len(r.gpus))
		for e := range row {
			row[e] += float32(scale * grad[e])
		}
		want[key] = row
	}
	require.NoError(r.t, r.list.WriteUint32s(0, list))
	got := r.do(driver.Update(0, r.list.Address(), len(list)/2))
	require.EqualValues(r.t, len(list)/2, got.Value0)
	for key, row := range want {
		require.Equal(r.t, row, r.row(r.tables[key[0]], key[1]))
	}
}

func TestCounters(t *testing.T) {
	r := newHarness(t, 2, driver.DefaultOptions())
	r.configure()
	words := r.batch(100, 100)
	addr := r.place(0, words)
	r.do(driver.Learn(0, addr, 100))
	r.do(driver.Classify(0, addr, 50, r.bitmap.Address()))
	got, err := r.drv.Counters()
	require.NoError(t, err)
	require.EqualValues(t, 150, got.Lookups, "of classify only")
	require.LessOrEqual(t, got.CacheHits, got.Lookups)
	require.GreaterOrEqual(t, got.LookupCycles, uint32(150/8), "of classify only")
	require.Less(t, got.LookupCycles, uint32(100))
	gathered := r.do(driver.Gather(0, 50))
	require.NoError(t, r.list.WriteUint32s(0, []uint32{0, 1}))
	r.do(driver.Update(0, r.list.Address(), 1))
	got, err = r.drv.Counters()
	require.NoError(t, err)
	require.Equal(t, gathered.Value0+gathered.Value1+2, got.RowsRead)
	require.Equal(t, (gathered.Value0+gathered.Value1)/slots*2+1, got.RowsWritten)
}

func TestStatuses(t *testing.T) {
	nowhere := uint64(400 << 30) // beyond the end of host memory
	for _, c := range []struct {
		name   string
		cmd    arch.Command
		status arch.Status
	}{
		{"unknown opcode", arch.Command{Opcode: 0x77}, arch.StatusOpcode},
		{"no inputs", driver.Classify(0, 0, 0, 0), arch.StatusRange},
		{"half full", driver.Learn(0, 1<<33, 16384/slots), arch.StatusOK},
		{"half over", driver.Learn(0, 1<<33, 16384/slots+1), arch.StatusRange},
		{"list over", driver.Update(0, 1<<33, 8193), arch.StatusRange},
		{"gather over", driver.Gather(1, 1<<40), arch.StatusRange},
		{"words not there", driver.Learn(0, nowhere, 10), arch.Status(link.UnsupportedRequest)},
		{"list not there", driver.Update(0, nowhere, 10), arch.Status(link.UnsupportedRequest)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newHarness(t, 1, driver.DefaultOptions())
			r.configure()
			got, err := r.drv.Do(c.cmd)
			require.Equal(t, c.status, got.Status)
			if c.status == arch.StatusOK {
				require.NoError(t, err)
				return
			}
			var failed *driver.StatusError
			require.ErrorAs(t, err, &failed)
			r.do(driver.Fence()) // the error does not affect the next command
		})
	}
}

// TestMissingAddresses: commands fail whose addresses were written only before a reset.
func TestMissingAddresses(t *testing.T) {
	r := newHarness(t, 1, driver.DefaultOptions())
	r.configure()
	require.NoError(t, r.list.WriteUint32s(0, []uint32{1, 5, 0, 6}))
	expect := func(status arch.Status, c arch.Command) {
		t.Helper()
		got, _ := r.drv.Do(c)
		require.Equal(t, status, got.Status, "%v", c)
	}
	update := driver.Update(0, r.list.Address(), 2)
	expect(arch.StatusOK, update)
	require.NoError(t, r.drv.Reset(errors.New("another owner")))
	expect(arch.StatusRange, driver.GPURead(0, 1))
	for _, w := range [][2]uint64{{arch.RegRowLog2, 6}, {arch.RegGPUs, 1}, {arch.RegTables, 2}, {arch.RegSlots, slots}} {
		r.do(driver.SWrite(int(w[0]), w[1]))
	}
	for _, c := range []arch.Command{driver.GPURead(0, 1), driver.Learn(0, r.list.Address(), 1), driver.Classify(0, r.list.Address(), 1, r.list.Address()), update} {
		expect(arch.StatusNoAddress, c)
	}
	r.do(driver.SWrite(arch.RegGrad, r.gpus[0].grad.Address()))
	r.do(driver.SWrite(arch.RegTable, r.tables[0].Address()))
	expect(arch.StatusNoTable, update)
	r.do(driver.SWrite(arch.RegTable+1, r.tables[1].Address()))
	expect(arch.StatusOK, update)
}

// TestValuesOutOfRange: a write of an invalid value leaves the register unchanged.
func TestValuesOutOfRange(t *testing.T) {
	r := newHarness(t, 1, driver.DefaultOptions())
	r.configure()
	p := arch.Small()
	for _, w := range [][2]uint64{
		{arch.RegSlots, 0}, {arch.RegSlots, uint64(p.Engines/4 - 1)}, {arch.RegSlots, uint64(p.Slots + 1)}, {arch.RegTables, uint64(p.Tables + 1)},
		{arch.RegRowLog2, 0}, {arch.RegRowLog2, 3}, {arch.RegRowLog2, 10}, {arch.RegGPUs, uint64(p.GPUs + 1)}, {arch.RegScale, 1 << 32},
		{arch.RegSlot, uint64(p.Tables) << arch.SlotTableLo}, {arch.RegSlot, 1 << p.IDBits()}, {arch.RegTable + uint64(p.Tables), 0}, {arch.RegSlot + uint64(p.Slots), 0},
	} {
		got, err := r.drv.Do(driver.SWrite(int(w[0]), w[1]))
		require.Error(t, err)
		require.Equal(t, arch.StatusRange, got.Status, "%#x to register %#x", w[1], w[0])
	}
	r.do(driver.Learn(0, r.list.Address(), 1))
}

// TestFailedUpdateWritesNothingMore: after a failed read of a gradient, the remaining rows keep
// their values.
func TestFailedUpdateWritesNothingMore(t *testing.T) {
	r := newHarness(t, 2, driver.DefaultOptions())
	r.configure()
	r.do(driver.SWrite(arch.RegGrad+1, 400<<30))
	require.NoError(t, r.list.WriteUint32s(0, []uint32{0, 5, 0, 6, 0, 7}))
	before := [][]float32{r.row(r.tables[0], 5), r.row(r.tables[0], 6), r.row(r.tables[0], 7)}
	got, err := r.drv.Do(driver.Update(0, r.list.Address(), 3))
	require.Error(t, err)
	require.EqualValues(t, link.UnsupportedRequest, got.Status)
	require.Equal(t, before[1:], [][]float32{r.row(r.tables[0], 6), r.row(r.tables[0], 7)})
}

func TestDamagedCommand(t *testing.T) {
	r := newHarness(t, 1, driver.DefaultOptions())
	r.configure()
	for bit := range 8 * arch.CommandBytes {
		if bit/32 == arch.CommandID/4 {
			continue // the completion contains the damaged id, which the driver does not expect
		}
		r.s.Slot().Inject(func(dir link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
			if dir == link.Down && p.Kind == pcie.CplD && len(p.Data) == arch.CommandBytes {
				p.Data[bit/8] ^= 1 << (bit % 8)
			}
			return link.Fate{}
		})
		got, err := r.drv.Do(driver.Fence())
		require.EqualValues(t, arch.StatusCRC, got.Status, "bit %d", bit)
		require.EqualError(t, err, "driver: fence(0x0, 0x0, 0x0) failed: bad command CRC (status 33)")
	}
	r.s.Slot().Inject(nil)
	r.do(driver.Fence())
}

func TestRingsWrap(t *testing.T) {
	r := newHarness(t, 1, driver.Options{RingLog2: 1, Deadline: time.Millisecond})
	var order []int
	for i := range 101 {
		require.NoError(t, r.drv.Submit(driver.SWrite(arch.RegScale, uint64(i)), func(c driver.Completion, err error) {
			require.NoError(t, err)
			order = append(order, int(c.Command.Operand2))
		}))
	}
	require.NoError(t, r.drv.Drain())
	require.Len(t, order, 101)
	for i, got := range order {
		require.Equal(t, i, got)
	}
}

// TestCompletionsWaitForRoom accesses the rings directly: four commands with a completion ring of
// two entries.
func TestCompletionsWaitForRoom(t *testing.T) {
	r := newHarness(t, 1, driver.Options{RingLog2: 3, Deadline: time.Millisecond})
	cq := r.alloc(r.s.Host, 64)
	require.NoError(t, r.dev.Write32(arch.CSRCQBaseLo, uint32(cq.Address())))
	require.NoError(t, r.dev.Write32(arch.CSRCQBaseHi, uint32(cq.Address()>>32)))
	require.NoError(t, r.dev.Write32(arch.CSRCQLog2, 1))
	for range 4 {
		require.NoError(t, r.drv.Submit(driver.Fence(), func(driver.Completion, error) {}))
	}
	require.NoError(t, r.drv.Ring())
	ids := func() []uint32 {
		require.NoError(t, r.s.Kernel.RunTo(r.s.Kernel.Now()+100*des.Microsecond))
		v := make([]uint32, 16)
		require.NoError(t, cq.ReadUint32s(0, v))
		return []uint32{v[0], v[1] >> 16, v[4], v[8], v[9] >> 16, v[12]} // id, phase, consumer index
	}
	require.Equal(t, []uint32{1, 1, 1, 2, 1, 2}, ids())
	status, err := r.dev.Read32(arch.CSRStatus)
	require.NoError(t, err)
	require.EqualValues(t, 3, status, "busy with the third command, and ready")
	require.NoError(t, r.dev.Write32(arch.CSRCQHead, 2))
	require.Equal(t, []uint32{3, 0, 3, 4, 0, 4}, ids(), "the phase flips")
}

func TestRegisters(t *testing.T) {
	r := newHarness(t, 1, driver.DefaultOptions())
	for _, c := range []struct {
		offset       uint64
		write, after uint32
	}{
		{arch.CSRCQBaseHi, 0x12345678, 0x12345678}, {arch.CSRSQLog2, 0xff, 0xf},
		{arch.CSRID, 1, arch.ID}, {arch.CSRSQHead, 5, 0},
	} {
		require.NoError(t, r.dev.Write32(c.offset, c.write))
		got, err := r.dev.Read32(c.offset)
		require.NoError(t, err)
		require.Equal(t, c.after, got, "offset %#x", c.offset)
	}
	_, err := r.dev.Read32(0x100)
	var failed *link.AccessError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, link.UnsupportedRequest, failed.Code)
}

// TestReset resets during every command. The control register reads 2 until all descriptors have
// ended. Afterwards the state is the state after power-up.
func TestReset(t *testing.T) {
	for after := des.Time(0); after < 30*des.Microsecond; after += 1777 * des.Nanosecond {
		r := newHarness(t, 2, driver.DefaultOptions())
		r.configure()
		at := r.place(0, r.batch(300, 50))
		for _, c := range []arch.Command{
			driver.Learn(0, at, 100), driver.DMARead(r.tables[0].Address(), rowBytes), driver.VMul(2), driver.HotSet(r.alloc(r.s.Host, 1<<15).Address()),
			driver.Classify(0, at, 300, r.bitmap.Address()), driver.Gather(0, 300), driver.Update(1, r.list.Address(), 100),
		} {
			require.NoError(t, r.drv.Submit(c, func(driver.Completion, error) {}))
		}
		require.NoError(t, r.drv.Ring())
		require.NoError(t, r.s.Kernel.RunTo(r.s.Kernel.Now()+after))
		require.NoError(t, r.dev.Write32(arch.CSRControl, 1<<arch.ControlResetBit))
		for n := 0; ; n++ {
			control, err := r.dev.Read32(arch.CSRControl)
			require.NoError(t, err)
			if control == 0 {
				break
			}
			require.EqualValues(t, 1<<arch.ControlResetBit, control)
			require.Less(t, n, 20)
		}
		for _, offset := range []uint64{arch.CSRSQHead, arch.CSRCQTail, arch.CSRSQTail, arch.CSRRowsAhead, arch.CSRLookups, arch.CSRRowsRead} {
			v, err := r.dev.Read32(offset)
			require.NoError(t, err)
			require.Zero(t, v, "register %#x", offset)
		}
		var err error
		r.drv, err = driver.Open(r.dev, driver.DefaultOptions())
		require.NoError(t, err)
		r.configure()
		require.Empty(t, r.hotSet())
		words := r.batch(200, 40)
		r.do(driver.Learn(0, r.place(0, words), 100))
		hot := r.hotSet()
		bitmap := r.checkBitmaps(words, hot, r.do(driver.Classify(0, r.place(0, words), 200, r.bitmap.Address())))
		r.checkGather(words, bitmap, hot, r.do(driver.Gather(0, 200)))
	}
}

// TestSilentDevice takes the link down during a command.
func TestSilentDevice(t *testing.T) {
	r := newHarness(t, 1, driver.DefaultOptions())
	r.configure()
	r.s.Slot().SetUp(false)
	_, err := r.drv.Do(driver.Fence())
	require.ErrorIs(t, err, driver.ErrGone)
}
