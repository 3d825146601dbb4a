package link

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

func TestRegisterAccess(t *testing.T) {
	r := newHarness(t, nil)
	watchRules(t, r.link, 256, 0)
	bar := r.ep.BAR().Base
	r.core.regs[0x10] = 0x11223344
	v, err := r.rc.Read32(bar + 0x10)
	require.NoError(t, err)
	require.Equal(t, uint32(0x11223344), v)

	require.NoError(t, r.rc.Write64(bar+0x20, 0x0102030405060708))
	require.NoError(t, r.rc.Write(bar+0x31, []byte{1, 2, 3, 4, 5, 6}))
	b := make([]byte, 8)
	require.NoError(t, r.rc.Read(bar+0x20, b))
	require.Equal(t, uint64(0x0102030405060708), binary.LittleEndian.Uint64(b))
	require.NoError(t, r.rc.Read(bar+0x11, b[:2]))
	require.Equal(t, []byte{0x33, 0x22}, b[:2])
	r.run()
	require.Equal(t, []string{
		"r10", "w20=5060708/f", "w24=1020304/f", "w30=3020100/e", "w34=60504/7", "r20", "r24", "r10",
	}, r.core.log)
}

func TestRegisterFlushReadsNothing(t *testing.T) {
	r := newHarness(t, nil)
	r.core.delay = des.Microsecond
	require.NoError(t, r.rc.Write32(r.ep.BAR().Base, 1))
	require.NoError(t, r.rc.Read(r.ep.BAR().Base, nil))
	require.Equal(t, []string{"w0=1/f"}, r.core.log)
	require.Equal(t, uint32(1), r.core.regs[0], "the write is done when the flush is")
	require.GreaterOrEqual(t, r.k.Now(), des.Microsecond)
}

// TestRegisterOrder: reads wait for earlier writes, but writes never wait for a read that the core
// does not complete.
func TestRegisterOrder(t *testing.T) {
	r := newHarness(t, nil)
	bar := r.ep.BAR().Base
	r.core.delay = 300 * des.Nanosecond
	var got []uint32
	for v := range uint32(3) {
		require.NoError(t, r.rc.Write32(bar, v))
		require.NoError(t, r.rc.ReadAsync(bar, 4, func(b []byte, err error) {
			require.NoError(t, err)
			got = append(got, binary.LittleEndian.Uint32(b))
		}))
	}
	r.run()
	require.Len(t, got, 3)
	for v, x := range got {
		require.GreaterOrEqual(t, x, uint32(v), "a read may see later writes, not miss earlier ones")
	}
	require.Equal(t, "w0=0/f", r.core.log[0])

	r.core.deaf, r.core.log = true, nil
	require.NoError(t, r.rc.ReadAsync(bar, 4, func([]byte, error) {}))
	for v := range uint32(300) { // more than there are credits
		require.NoError(t, r.rc.Write32(bar+4, v))
	}
	require.NoError(t, r.k.RunTo(r.k.Now()+des.Millisecond))
	require.Equal(t, uint32(299), r.core.regs[4])
	require.Equal(t, "r0", r.core.log[0])
}

func TestRegisterErrors(t *testing.T) {
	r := newHarness(t, nil)
	bar := r.ep.BAR().Base
	r.core.refuse[8] = pcie.CA
	_, err := r.rc.Read32(bar + 8)
	require.ErrorContains(t, err, "completer abort")
	require.ErrorContains(t, r.rc.Read(bar, make([]byte, 16)), "completer abort", "one of four registers")
	_, err = r.rc.Read32(bar + 0xc)
	require.NoError(t, err)
	_, err = r.rc.Read32(0x5000)
	require.ErrorContains(t, err, "no device claims")
	r.run()

	// An address beyond the end of the BAR, which only another agent can send.
	l := r.link.ports[Down]
	l.Send(pcie.NewRead(r.rc.ID(), 0, bar+r.ep.BAR().Size, 4), nil)
	l.Send(pcie.NewWrite(r.rc.ID(), bar-4, make([]byte, 4)), nil)
	r.run()
	require.Equal(t, uint64(2), r.ep.Counters().Unsupported)
	require.Equal(t, uint64(1), r.rc.Counters().Unexpected, "the root had not asked")
}

func TestRunningTheKernelInsideAnEventIsRefused(t *testing.T) {
	r := newHarness(t, nil)
	var err error
	r.k.After(0, func() { _, err = r.rc.Read32(r.ep.BAR().Base) })
	r.run()
	require.ErrorContains(t, err, "inside an event")
}

// TestMSIXThroughTheBAR programs the MSI-X table through the BAR like a driver.
func TestMSIXThroughTheBAR(t *testing.T) {
	r := newHarness(t, nil)
	table := r.ep.BAR().Base + 0x8000
	entry := func(i int) uint64 { return table + 16*uint64(i) }
	ctrl, err := r.rc.Read32(entry(5) + 12)
	require.NoError(t, err)
	require.Equal(t, uint32(1), ctrl, "masked after reset")

	r.ep.RaiseInterrupt(5)
	r.ep.RaiseInterrupt(5)
	r.ep.RaiseInterrupt(15)
	r.run()
	require.Empty(t, r.irqs)
	pending, err := r.rc.Read32(table + MSIXPending)
	require.NoError(t, err)
	require.Equal(t, uint32(1<<5|1<<15), pending)

	require.NoError(t, r.rc.Write64(entry(5), 0xfee00100))
	require.NoError(t, r.rc.Write32(entry(5)+8, 0x4321))
	require.NoError(t, r.rc.Write(entry(5)+8, []byte{0x22})) // one byte of the data
	require.NoError(t, r.rc.Write32(entry(5)+12, 0))
	b := make([]byte, 16)
	require.NoError(t, r.rc.Read(entry(5), b))
	require.Equal(t, []byte{0, 1, 0xe0, 0xfe, 0, 0, 0, 0, 0x22, 0x43, 0, 0, 0, 0, 0, 0}, b)
	r.run()
	require.Equal(t, []uint32{0x4322}, r.irqs, "once, when unmasked")
	r.ep.RaiseInterrupt(5)
	r.run()
	require.Equal(t, []uint32{0x4322, 0x4322}, r.irqs)

	require.NoError(t, r.rc.Write32(table+MSIXPending, 0))
	require.NoError(t, r.rc.Write32(table+0x400, 7))
	v, err := r.rc.Read32(table + 0x400)
	require.NoError(t, err)
	require.Zero(t, v)
	pending, _ = r.rc.Read32(table + MSIXPending)
	require.Equal(t, uint32(1<<15), pending, "read-only")
	require.Empty(t, r.core.log, "the core sees none of this")

	require.ErrorContains(t, r.ep.SetVector(16, 0xfee00000, 0, false), "MSI-X vector 16")
	require.ErrorContains(t, r.ep.SetVector(0, 0xfee00002, 0, false), "multiple of 4")
}

// TestMSIToMemory: an interrupt can write to host memory, and to an address above 4 GiB.
func TestMSIToMemory(t *testing.T) {
	r := newHarness(t, nil)
	require.NoError(t, r.ep.SetVector(0, 1<<33, 42, false))
	r.ep.RaiseInterrupt(0)
	r.run()
	v, err := r.mem.ReadUint32(1 << 33)
	require.NoError(t, err)
	require.Equal(t, uint32(42), v)
}

func TestWritesWithHoles(t *testing.T) {
	r := newHarness(t, nil)
	require.NoError(t, r.mem.Write(0x1000, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}))
	w := pcie.NewWrite(r.ep.ID(), 0x1000, []byte{1, 2, 3, 4, 5, 6, 7, 8})
	w.FirstBE, w.LastBE = 0b0101, 0b1010
	r.ep.Port().Send(w, nil)
	r.run()
	b := make([]byte, 8)
	require.NoError(t, r.mem.Read(0x1000, b))
	require.Equal(t, []byte{1, 0xff, 3, 0xff, 0xff, 6, 0xff, 8}, b)
}
