package hotline_test

import (
	"encoding/binary"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// gpuMemory is the start of the GPU memories.
const gpuMemory = 1 << 42

const rowBytes = 32

// vectorWrite reports whether a TLP writes a pooled vector to a GPU.
func vectorWrite(dir link.Direction, p *pcie.TLP) bool {
	return dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == rowBytes && p.Addr >= gpuMemory
}

// rowWrite reports whether a TLP writes a row to host memory. Completions of commands have the same
// length, but end with their CRC.
func rowWrite(dir link.Direction, p *pcie.TLP) bool {
	return dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == rowBytes && p.Addr < gpuMemory && !completion(dir, p)
}

// completion reports whether a TLP is a completion of a command.
func completion(dir link.Direction, p *pcie.TLP) bool {
	return dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == 32 && p.Addr < gpuMemory && checksum(p.Data[:28]) == binary.LittleEndian.Uint32(p.Data[28:])
}

func checksum(p []byte) uint32 { return crc32.Checksum(p, crc32.MakeTable(crc32.Castagnoli)) }

// beats returns the sum of written data, in beats of the accelerator.
func beats(p []byte) (sum uint32) {
	for ; len(p) > 0; p = p[16:] {
		sum += checksum(p[:16])
	}
	return sum
}

// sabotage passes the n-th chosen TLP, counted from 1, to change. If the TLP contains data, the
// next completion gets the matching sum, as if the accelerator had computed wrong data.
func sabotage(s *server.Server, n int, chosen func(link.Direction, *pcie.TLP) bool, change func(*pcie.TLP) link.Fate) (hits *int) {
	hits = new(int)
	forged, le := uint32(0), binary.LittleEndian
	s.Slot().Inject(func(dir link.Direction, _ des.Time, p *pcie.TLP) (fate link.Fate) {
		answer := completion(dir, p)
		if answer && forged != 0 {
			le.PutUint32(p.Data[20:], le.Uint32(p.Data[20:])+forged)
			le.PutUint32(p.Data[28:], checksum(p.Data[:28]))
			forged = 0
		}
		if !chosen(dir, p) {
			return fate
		}
		if *hits++; *hits == n {
			data := dir == link.Up && p.Kind == pcie.MWr && !answer
			if data {
				forged = -beats(p.Data)
			}
			fate = change(p)
			if data {
				forged += beats(p.Data)
			}
		}
		return fate
	})
	return hits
}

// TestComparisonFindsSabotage: one wrong bit of one vector or row makes the parameters differ from
// the baseline.
func TestComparisonFindsSabotage(t *testing.T) {
	flip := func(p *pcie.TLP) link.Fate {
		p.Data[9] ^= 0x40 // a bit in the middle of a value
		return link.Fate{}
	}
	for _, c := range []struct {
		name   string
		chosen func(link.Direction, *pcie.TLP) bool
	}{
		{"wrong pooled vector", vectorWrite},
		{"wrong row", rowWrite},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, 1, 3)
			base := j.Baseline(t)
			for _, n := range []int{1, 50} {
				s, h := j.hotline(t)
				hits := sabotage(s, n, c.chosen, flip)
				_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
				require.NoError(t, err)
				require.GreaterOrEqual(t, *hits, n)
				_, err = train.Compare(base, h)
				t.Log(err)
				require.ErrorContains(t, err, "hybrid CPU-GPU")
				require.ErrorContains(t, err, "0x")
			}
		})
	}
}

// TestStaleReplica: the hot table of GPU 1 keeps the values of the previous mini-batch.
func TestStaleReplica(t *testing.T) {
	j := newJob(t, 1, 2)
	base := j.Baseline(t)
	for _, at := range []int{3, 10} { // in the middle, and after the last
		s, h := j.hotline(t)
		table, saved := s.GPUs[1].Memory.Memory(), make([]byte, j.card.Blocks*rowBytes)
		_, err := train.Run(h, j.Batches(t), train.Unwatched{}, func(step train.Step) error {
			switch step.MiniBatch {
			case at - 1:
				require.NoError(t, table.Read(0, saved))
			case at:
				require.NoError(t, table.Write(0, saved))
			}
			return nil
		})
		if at < 10 {
			require.ErrorContains(t, err, "Hotline, mini-batch 4: hotline: hot row ")
			require.ErrorContains(t, err, "GPU 1 has ")
			continue
		}
		require.NoError(t, err)
		_, err = train.Compare(base, h)
		require.ErrorContains(t, err, "of Hotline: hotline: hot row ")
		require.ErrorContains(t, err, "GPU 1 has ")
	}
}

func TestWrongBitmap(t *testing.T) {
	mailbox := func(dir link.Direction, p *pcie.TLP) bool {
		return dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == 16 && p.Addr >= gpuMemory
	}
	j := newJob(t, 1, 2)
	s, h := j.hotline(t)
	sabotage(s, 4, mailbox, func(p *pcie.TLP) link.Fate { p.Data[0] ^= 1; return link.Fate{} })
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	require.EqualError(t, err, "Hotline, mini-batch 1: hotline: the popularity bitmap in the mailbox of GPU 1 says of input 0 that it is popular: false, but its rows are all hot: true")
}

// TestImpossibleAnswers: the accelerator's numbers contradict each other or the configuration.
func TestImpossibleAnswers(t *testing.T) {
	le := binary.LittleEndian
	// answer recognises a completion by its values.
	answer := func(is func(value0, value1 uint32) bool) func(link.Direction, *pcie.TLP) bool {
		return func(dir link.Direction, p *pcie.TLP) bool {
			return completion(dir, p) && is(le.Uint32(p.Data[8:]), le.Uint32(p.Data[12:]))
		}
	}
	value0 := func(change func(uint32) uint32) func(*pcie.TLP) link.Fate {
		return func(p *pcie.TLP) link.Fate {
			le.PutUint32(p.Data[8:], change(le.Uint32(p.Data[8:])))
			le.PutUint32(p.Data[28:], checksum(p.Data[:28]))
			return link.Fate{}
		}
	}
	more := func(v uint32) uint32 { return v + 1 }
	hotSet := func(dir link.Direction, p *pcie.TLP) bool {
		return dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == 64 && p.Addr < gpuMemory
	}
	entry := func(word int, value func(p *pcie.TLP) uint32) func(*pcie.TLP) link.Fate {
		return func(p *pcie.TLP) link.Fate {
			le.PutUint32(p.Data[4*word:], value(p))
			return link.Fate{}
		}
	}
	bitmap := func(dir link.Direction, p *pcie.TLP) bool {
		return dir == link.Up && p.Kind == pcie.MWr && len(p.Data) == 16 && p.Addr < gpuMemory
	}
	for _, c := range []struct {
		name   string
		chosen func(link.Direction, *pcie.TLP) bool
		change func(*pcie.TLP) link.Fate
		want   string
	}{
		{"popular inputs", answer(func(_, value1 uint32) bool { return value1 == 480 }), value0(more),
			`hotline: the accelerator counts ([0-9]+) popular inputs, its bitmap has [0-9]+$`},
		{"gathered rows", answer(func(a, b uint32) bool { return a > 0 && b > 0 && b < 480 && (a+b)%10 == 0 }), value0(more),
			`hotline: the accelerator gathered [0-9]*1 rows for [0-9]+ inputs with 10 lookups$`},
		{"popular inputs that are none", bitmap, func(p *pcie.TLP) link.Fate { p.Data[7] = 1; return link.Fate{} },
			`hotline: the popularity bitmap in host memory says of input 56 that it is popular, but there are 48 inputs$`},
		{"number of hot rows", answer(func(a, b uint32) bool { return b == 0 && a > 200 && a < 256 }), value0(func(uint32) uint32 { return 257 }),
			`learn the hot set: hotline: the accelerator lists 257 hot rows, but has 256 blocks$`},
		{"hot row twice", hotSet, entry(2, func(p *pcie.TLP) uint32 { return le.Uint32(p.Data) }),
			`learn the hot set: hotline: the accelerator lists [0-9]+ hot rows, but [0-9]+ different ones in [0-9]+ blocks$`},
		{"block twice", hotSet, entry(3, func(p *pcie.TLP) uint32 { return le.Uint32(p.Data[4:]) }),
			`learn the hot set: hotline: the accelerator lists ([0-9]+) hot rows, but [0-9]+ different ones in [0-9]+ blocks$`},
		{"row that does not exist", hotSet, entry(2, func(*pcie.TLP) uint32 { return 7320 }),
			`learn the hot set: hotline: the accelerator lists row id 7320 in block [0-9]+, but there are 7320 rows and 256 blocks$`},
		{"block that does not exist", hotSet, entry(3, func(*pcie.TLP) uint32 { return 256 }),
			`learn the hot set: hotline: the accelerator lists row id [0-9]+ in block 256, but there are 7320 rows and 256 blocks$`},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, 1, 2)
			s, h := j.hotline(t)
			sabotage(s, 1, c.chosen, c.change)
			_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
			require.Error(t, err)
			require.Regexp(t, "^Hotline, mini-batch [0-9]+: "+c.want, err.Error())
		})
	}
}

// TestReplicasAreCompared: replicas are compared at the end of a training.
func TestReplicasAreCompared(t *testing.T) {
	j := newJob(t, 1, 3)
	_, h := j.hotline(t)
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, func(train.Step) error {
		for _, values := range h.Net().Params() {
			values[0]++ // on GPU 0 only
			break
		}
		return nil
	})
	require.ErrorContains(t, err, "dense replicas of GPU 0 and GPU 1 differ: ")
}

// TestFailedCommandEndsTheRun: poisoned data of a read ends the run.
func TestFailedCommandEndsTheRun(t *testing.T) {
	row := func(dir link.Direction, p *pcie.TLP) bool {
		return dir == link.Down && p.Kind == pcie.CplD && len(p.Data) == rowBytes
	}
	j := newJob(t, 1, 2)
	s, h := j.hotline(t)
	sabotage(s, 200, row, func(p *pcie.TLP) link.Fate { p.EP = true; return link.Fate{} })
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	var failed *driver.StatusError
	require.ErrorAs(t, err, &failed)
	require.EqualValues(t, link.Poisoned, failed.Status)
	require.Equal(t, arch.Gather, failed.Command.Opcode)
	require.ErrorContains(t, err, ": driver: gather(")
}

func TestLostDeviceEndsTheRun(t *testing.T) {
	j := newJob(t, 1, 2)
	s, h := j.hotline(t)
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, func(step train.Step) error {
		if step.MiniBatch == 4 {
			s.Slot().SetUp(false)
		}
		return nil
	})
	require.ErrorIs(t, err, driver.ErrGone)
	require.ErrorContains(t, err, "Hotline, mini-batch 5: ")
}
