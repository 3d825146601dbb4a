package hotline_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
)

// lose runs a training in which the n-th chosen write of the accelerator, counted from 1, is lost.
// It returns the mini-batch of the loss, the write, and the outcome of the training.
func lose(t *testing.T, j *job, n int, chosen func(*pcie.TLP) bool) (at int, lost *pcie.TLP, h *hotline.System, err error) {
	s, h := j.hotline(t)
	done := 0
	s.Slot().Inject(func(dir link.Direction, _ des.Time, p *pcie.TLP) link.Fate {
		if dir != link.Up || p.Kind != pcie.MWr || p.Addr == s.Config.Root.Interrupts.Base || !chosen(p) {
			return link.Fate{}
		}
		if n--; n != 0 {
			return link.Fate{}
		}
		at, lost = done, p
		return link.Fate{Drop: true}
	})
	_, err = train.Run(h, j.Batches(t), train.Unwatched{}, func(train.Step) error { done++; return nil })
	require.NotNil(t, lost)
	return at, lost, h, err
}

// TestLostWrites: the driver detects a lost write in the mini-batch of the loss.
func TestLostWrites(t *testing.T) {
	for _, c := range []struct {
		name, command string
		chosen        func(*pcie.TLP) bool
	}{
		{"pooled vectors", "gather", func(p *pcie.TLP) bool { return p.Addr >= gpuMemory && len(p.Data) > 16 }},
		{"rows", "update", func(p *pcie.TLP) bool { return rowWrite(link.Up, p) }},
		{"bitmaps in host memory", "classify", func(p *pcie.TLP) bool { return p.Addr < gpuMemory && len(p.Data) == 16 }},
		{"bitmaps in mailboxes", "classify", func(p *pcie.TLP) bool { return p.Addr >= gpuMemory && len(p.Data) == 16 }},
		{"the hot set", "hotset", func(p *pcie.TLP) bool { return p.Addr < gpuMemory && len(p.Data) == 64 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, gpus := range []int{1, 3} {
				for n := 1; n < 8; n += 3 {
					j := newJob(t, 1, gpus)
					j.opts.Relearn = 2
					at, _, _, err := lose(t, j, n, c.chosen)
					var lost *driver.LostWriteError
					require.ErrorAs(t, err, &lost)
					require.Equal(t, c.command, lost.Command.Opcode.String())
					require.NotEqual(t, lost.Sent, lost.There)
					require.ErrorContains(t, err, fmt.Sprintf("Hotline, mini-batch %d: ", at))
				}
			}
		})
	}
}

// repeats loses the n-th chosen write. It checks that the command is repeated without a reset, and
// that the parameters equal the baseline's.
func repeats(t *testing.T, j *job, base train.System, n int, chosen func(*pcie.TLP) bool) {
	_, _, h, err := lose(t, j, n, chosen)
	require.NoError(t, err)
	require.Equal(t, driver.Survived{Repeated: 1}, h.Driver().Survived())
	_, err = train.Compare(base, h)
	require.NoError(t, err)
}

func TestLostWritesAreRepeated(t *testing.T) {
	for name, chosen := range map[string]func(*pcie.TLP) bool{
		"pooled vectors":         func(p *pcie.TLP) bool { return p.Addr >= gpuMemory && len(p.Data) > 16 },
		"rows":                   func(p *pcie.TLP) bool { return rowWrite(link.Up, p) },
		"bitmaps in host memory": func(p *pcie.TLP) bool { return p.Addr < gpuMemory && len(p.Data) == 16 },
		"bitmaps in mailboxes":   func(p *pcie.TLP) bool { return p.Addr >= gpuMemory && len(p.Data) == 16 },
		"the hot set":            func(p *pcie.TLP) bool { return p.Addr < gpuMemory && len(p.Data) == 64 },
	} {
		t.Run(name, func(t *testing.T) {
			j := surviving(t)
			base := j.Baseline(t)
			for n := 1; n < 8; n += 3 {
				repeats(t, j, base, n, chosen)
			}
		})
	}
}

// TestLostRowsOfOneOfSeveralCommands: rows of the other commands do not change.
func TestLostRowsOfOneOfSeveralCommands(t *testing.T) {
	j := surviving(t)
	j.manyColdRows()
	base := j.Baseline(t)
	for n := 1; n < 1500; n += 90 {
		repeats(t, j, base, n, func(p *pcie.TLP) bool { return rowWrite(link.Up, p) })
	}
}

// TestLostPartOfAVector loses the second of a vector's two TLPs.
func TestLostPartOfAVector(t *testing.T) {
	j := newJob(t, 1, 2)
	j.Model.Dim, j.Model.Bottom = 128, []int{3, 128}
	_, _, _, err := lose(t, j, 2, func(p *pcie.TLP) bool { return p.Addr >= gpuMemory && len(p.Data) > 16 })
	require.ErrorContains(t, err, " has written adds up to ")
	require.ErrorContains(t, err, ": a write was lost or damaged on its way")
}

// TestLostCompletions: without the completion of a command, no event remains that could happen.
func TestLostCompletions(t *testing.T) {
	for n := 1; n < 60; n += 11 {
		_, lost, _, err := lose(t, newJob(t, 1, 2), n, func(p *pcie.TLP) bool {
			return completion(link.Up, p)
		})
		require.EqualValues(t, n, binary.LittleEndian.Uint32(lost.Data), "its command's id")
		require.ErrorContains(t, err, " is not answered (command ring: device at ")
		require.ErrorIs(t, err, des.ErrDeadlock)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	}
}
