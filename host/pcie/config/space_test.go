package config_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/pcie/config"
)

func newSpace(t *testing.T) *config.Space {
	s, err := config.New(config.DefaultFunction())
	require.NoError(t, err)
	return s
}

// find returns the offset of a capability by its ID. It walks the list as a host does.
func find(t *testing.T, s *config.Space, id uint32) int {
	for at := int(s.DW(config.Capabilities) & 0xff); at != 0; at = int(s.DW(at) >> 8 & 0xff) {
		if s.DW(at)&0xff == id {
			return at
		}
	}
	require.Fail(t, "no capability", "%#x", id)
	return 0
}

// TestWritesByTheTable checks that each bit of the space behaves exactly as the table defines.
func TestWritesByTheTable(t *testing.T) {
	kind := map[int]config.Kind{} // by bit of the space
	init := map[int]bool{}
	for _, r := range config.Registers(config.DefaultFunction()) {
		for _, f := range r.Fields {
			for i := range f.Bits {
				bit := 8*r.Offset + f.Low + i
				_, twice := kind[bit]
				require.False(t, twice, "%s: %s overlaps another field", r.Name, f.Name)
				require.Less(t, f.Low+i, 8*r.Size, "%s: %s is wider than its register", r.Name, f.Name)
				kind[bit], init[bit] = f.Kind, f.Init>>i&1 != 0
			}
		}
	}
	for bit := range 8 * config.Size {
		s := newSpace(t)
		at := bit / 32 * 4
		before := s.DW(at)
		require.Equal(t, init[bit], before>>(bit%32)&1 != 0, "bit %d of %#x", bit%32, at)
		s.SetDW(at, before^1<<(bit%32), 0xf)
		want := before
		if kind[bit] == config.Written {
			want ^= 1 << (bit % 32)
		}
		if at == 0x44 { // a single set bit of the power state is not a supported state
			want = before
		}
		require.Equal(t, want, s.DW(at), "bit %d of %#x", bit%32, at)
	}
}

// TestWritableBits checks the writable bits against the specification, independently of the table.
func TestWritableBits(t *testing.T) {
	for at, want := range map[int]uint32{
		0x00: 0, 0x04: 0x0146, 0x08: 0, 0x0c: 0xff, 0x10: 0xffff0000, 0x14: 0, 0x30: 0, 0x34: 0, 0x3c: 0xff,
		0x44: 0x3, 0x50: 0xc0000000, 0x54: 0, 0x58: 0, 0x64: 0, 0x68: 0x71ef, 0x70: 0xc8, 0x84: 0, 0x88: 0x1f, 0x90: 0xf,
		0x104: 0, 0x108: 0x001ff010 &^ (1 << 5), 0x10c: 0x001ff010, 0x110: 0, 0x114: 0x31c1, 0x118: 0x140, 0x11c: 0, 0x150: 0, 0x154: 0,
		0x160: 0, 0x164: 0, 0x168: 0, 0x16c: 0,
	} {
		s := newSpace(t)
		s.SetDW(at, 0, 0xf)
		zero := s.DW(at)
		s.SetDW(at, 0xffffffff, 0xf)
		require.Equal(t, want, zero^s.DW(at), "%#x", at)
	}
}

func TestByteEnables(t *testing.T) {
	for enables := range uint8(16) {
		s := newSpace(t)
		s.SetDW(0x108, 0xffffffff, enables)
		var want uint32
		for i := range 4 {
			if enables>>i&1 != 0 {
				want |= 0x001ff010 & (0xff << (8 * i))
			}
		}
		require.Equal(t, want, s.DW(0x108), "%04b", enables)
	}
}

// TestAccessesOfAnyLength: a write of several bytes equals single-byte writes, and a read returns
// the same bytes.
func TestAccessesOfAnyLength(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		one, all := newSpace(t), newSpace(t)
		at, b := rng.IntN(0x190), make([]byte, rng.IntN(9))
		for i := range b {
			b[i] = byte(rng.Uint32()) & 0x7f // no function-level reset
			if (at+i)&^1 == 0x44 {
				b[i] &^= 3
			}
			flr, err := one.Write(at+i, b[i:i+1])
			require.NoError(t, err)
			require.False(t, flr)
		}
		_, err := all.Write(at, b)
		require.NoError(t, err)
		want, got := make([]byte, config.Size), make([]byte, config.Size)
		require.NoError(t, one.Read(0, want))
		require.NoError(t, all.Read(0, got))
		require.Equal(t, want, got)
		part := make([]byte, len(b))
		require.NoError(t, all.Read(at, part))
		require.Equal(t, want[at:at+len(b)], part)
	}
	s := newSpace(t)
	for _, at := range []int{-1, config.Size - 3, config.Size, 1<<63 - 1} {
		want := fmt.Sprintf("of 4 bytes at %#x, expected all of them below 0x1000", at)
		require.ErrorContains(t, s.Read(at, make([]byte, 4)), "config: read "+want)
		_, err := s.Write(at, make([]byte, 4))
		require.ErrorContains(t, err, "config: write "+want)
	}
}

func TestSizingOfTheBAR(t *testing.T) {
	for size := uint64(1 << 13); size <= 1<<31; size *= 2 {
		f := config.DefaultFunction()
		f.BARSize, f.Table, f.Pending = size, 0, 0x1000
		s, err := config.New(f)
		require.NoError(t, err)
		s.SetDW(config.BAR0, 0xffffffff, 0xf)
		require.EqualValues(t, size, uint64(^(s.DW(config.BAR0)&^0xf))+1)
		s.SetDW(config.BAR0, 0xfe000000, 0xf)
		require.EqualValues(t, 0xfe000000&^(size-1), s.Settings().Base)
	}
}

func TestSettings(t *testing.T) {
	s := newSpace(t)
	off := config.Settings{MPS: 128, MRRS: 512, RCB: 64}
	require.Equal(t, off, s.Settings())
	express, msix, power := find(t, s, config.ExpressID), find(t, s, config.MSIXID), find(t, s, config.PowerID)
	s.SetDW(config.Command, 6, 0x3)
	s.SetDW(config.BAR0, 0xfe000000, 0xf)
	s.SetDW(express+config.DeviceControl, 1<<5|5<<12|1<<8, 0x3)
	s.SetDW(express+config.LinkControl, 1<<3, 0x3)
	s.SetDW(express+config.DeviceControl2, 6, 0x3)
	s.SetDW(0x100+config.AERControl, config.ECRCGenerate|config.ECRCCheck, 0x3)
	s.SetDW(msix, 3<<30, 0xf)
	on := config.Settings{Memory: true, BusMaster: true, Base: 0xfe000000, MPS: 256, MRRS: 4096, RCB: 128,
		ExtendedTags: true, MSIX: true, Masked: true, GenerateECRC: true, CheckECRC: true, Timeout: 210 * time.Millisecond}
	require.Equal(t, on, s.Settings())

	asleep := on
	asleep.Memory, asleep.BusMaster = false, false
	for _, state := range []struct {
		write uint32
		want  config.Settings
	}{{1, on}, {2, on}, {3, asleep}, {1, asleep}, {0, on}} {
		s.SetDW(power+config.PowerControl, state.write, 1)
		require.Equal(t, state.want, s.Settings(), "after writing %d", state.write)
	}

	s.SetDW(express+config.DeviceControl2, 1<<4, 1)
	require.Negative(t, s.Settings().Timeout)
	s.SetDW(express+config.DeviceControl2, 3, 1)
	require.Zero(t, s.Settings().Timeout)
	s.SetDW(express+config.DeviceControl, 7<<5|6<<12, 0x3)
	require.Equal(t, 4096, s.Settings().MPS)
	require.Equal(t, 4096, s.Settings().MRRS)
	for code := range uint16(6) {
		require.Equal(t, code, config.SizeCode(128<<code))
	}
}

// TestFLR: state that 6.6.2 keeps is unchanged, and all other state is as after power-up.
func TestFLR(t *testing.T) {
	s := newSpace(t)
	s.SetLink(3, 16)
	express := find(t, s, config.ExpressID)
	for at := 0; at < config.Size; at += 4 {
		if at != express+config.DeviceControl {
			require.False(t, s.SetDW(at, 0xffffffff, 0xf), "%#x", at)
		}
	}
	require.False(t, s.SetDW(express+config.DeviceControl, 0x7fff, 0x3))
	require.False(t, s.SetDW(express+config.DeviceControl, 0x8000, 0x1), "the byte is not enabled")
	require.True(t, s.SetDW(express+config.DeviceControl, 0xffff, 0x3))
	require.Zero(t, s.DW(express+config.DeviceControl)&config.DeviceFLR, "it reads as zero")
	s.Report(config.MalformedTLP, false, nil)
	s.SetPending(true)
	s.FLR()

	want := newSpace(t)
	want.SetLink(3, 16)
	want.SetDW(express+config.DeviceControl, 2<<12|7<<5, 0x3) // the payload size stays
	want.SetDW(express+config.LinkControl, 0xffff, 0x3)
	want.SetDW(express+0x30, 0xffff, 0x3)
	for at := 0x104; at < 0x150; at += 4 {
		want.SetDW(at, 0xffffffff, 0xf)
	}
	want.Report(config.MalformedTLP, false, nil)
	want.SetDW(express+config.DeviceControl, 0xf<<16, 0xc) // what Report set outside AER
	for at := 0; at < config.Size; at += 4 {
		require.Equal(t, want.DW(at), s.DW(at), "%#x", at)
	}

	s.PowerOn()
	fresh := newSpace(t)
	fresh.SetLink(3, 16)
	require.Equal(t, fresh, s)
}

func TestReport(t *testing.T) {
	s := newSpace(t)
	aer, express := 0x100, find(t, s, config.ExpressID)
	tlp := []byte{0x40, 0, 0, 1, 0, 0, 0, 0xf, 0xfe, 0, 0, 0}
	severity, tell := s.Report(config.UnsupportedRequest, false, tlp)
	require.Equal(t, config.NonFatal, severity)
	require.False(t, tell, "nobody asked")
	require.EqualValues(t, 1<<20, s.DW(aer+config.UncorrectableStatus))
	require.EqualValues(t, 20, s.DW(aer+config.AERControl)&0x1f)
	require.EqualValues(t, 0b1010, s.DW(express+config.DeviceControl)>>16, "non-fatal, unsupported request")
	log := []uint32{0x40000001, 0x0000000f, 0xfe000000, 0}
	for i, v := range log {
		require.Equal(t, v, s.DW(aer+config.HeaderLog+4*i))
	}

	// The first error stays in the log until it is cleared.
	s.SetDW(express+config.DeviceControl, 1<<2, 0x1)
	severity, tell = s.Report(config.MalformedTLP, false, nil)
	require.Equal(t, config.Fatal, severity)
	require.True(t, tell)
	require.EqualValues(t, 20, s.DW(aer+config.AERControl)&0x1f)
	require.Equal(t, log[0], s.DW(aer+config.HeaderLog))
	s.SetDW(aer+config.UncorrectableStatus, 0xffffffff, 0xf)
	require.Zero(t, s.DW(aer+config.UncorrectableStatus))

	// A masked error only sets its bit.
	s.SetDW(aer+config.UncorrectableMask, 1<<config.MalformedTLP, 0xf)
	_, tell = s.Report(config.MalformedTLP, false, tlp)
	require.False(t, tell)
	require.EqualValues(t, 20, s.DW(aer+config.AERControl)&0x1f)
	_, _ = s.Report(config.CompletionTimeout, false, nil)
	require.EqualValues(t, 14, s.DW(aer+config.AERControl)&0x1f)
	require.Zero(t, s.DW(aer+config.HeaderLog), "no TLP")

	// SERR# Enable enables all messages; unsupported requests have a separate enable.
	s.SetDW(express+config.DeviceControl, 1<<1, 0x1)
	_, tell = s.Report(config.CompletionTimeout, false, nil)
	require.True(t, tell)
	_, tell = s.Report(config.UnsupportedRequest, false, nil)
	require.False(t, tell)
	s.SetDW(express+config.DeviceControl, 1<<1|1<<3, 0x1)
	_, tell = s.Report(config.UnsupportedRequest, false, nil)
	require.True(t, tell)
	s.SetDW(express+config.DeviceControl, 0, 0x1)
	s.SetDW(config.Command, 1<<8, 0x3)
	_, tell = s.Report(config.UnsupportedRequest, false, nil)
	require.True(t, tell)
	require.EqualValues(t, 1<<4|config.SignaledSystemError, s.DW(config.Command)>>16)
}

func TestFunctionIsChecked(t *testing.T) {
	for _, c := range []struct {
		change func(*config.Function)
		want   string
	}{
		{func(f *config.Function) { f.BARSize = 48 }, "config: BAR of 48 bytes, expected a power of two from 16 to 2 GiB"},
		{func(f *config.Function) { f.BARSize = 8 }, "config: BAR of 8 bytes"},
		{func(f *config.Function) { f.BARSize = 1 << 32 }, "config: BAR of 4294967296 bytes"},
		{func(f *config.Function) { f.Vectors = 0 }, "config: 0 MSI-X vectors, expected 1 to 2048"},
		{func(f *config.Function) { f.Vectors = 2049 }, "config: 2049 MSI-X vectors"},
		{func(f *config.Function) { f.Table = 4 }, "config: MSI-X table at 0x4 and pending bits at 0x8800 for 16 vectors, expected multiples of 8 inside a BAR of 0x10000 bytes"},
		{func(f *config.Function) { f.Table = 0xff08 }, "config: MSI-X table at 0xff08"},
		{func(f *config.Function) { f.Table = 1<<64 - 8 }, "config: MSI-X table at 0xfffffffffffffff8"},
		{func(f *config.Function) { f.Pending = 4 }, "pending bits at 0x4"},
		{func(f *config.Function) { f.Pending = 0x10000 }, "pending bits at 0x10000"},
		{func(f *config.Function) { f.Vectors, f.Pending = 65, 0xfff8 }, "pending bits at 0xfff8"},
	} {
		f := config.DefaultFunction()
		c.change(&f)
		_, err := config.New(f)
		require.ErrorContains(t, err, c.want)
	}
}
