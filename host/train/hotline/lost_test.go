package hotline_test

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
)

// lose runs a training in which the n-th write that is chosen, from 1, gets lost
// on the way from the card. It returns the mini-batch that was being trained
// then, the write, and how the training ended.
func lose(t *testing.T, j *job, n int, chosen func(*pcie.TLP) bool) (at int, lost *pcie.TLP, h *hotline.System, err error) {
	s, h := j.hotline(t)
	done := 0
	s.Slot().Inject(func(dir link.Direction, _ node.Time, p *pcie.TLP) link.Fate {
		if dir != link.Up || p.Kind != pcie.MWr || p.Addr == s.Config.Root.Interrupts.Base || !chosen(p) {
			return link.Fate{}
		}
		if n--; n != 0 {
			return link.Fate{}
		}
		at, lost = done, p
		return link.Fate{Drop: true}
	})
	_, err = train.Run(h, j.batches(t), train.Unwatched{}, func(train.Step) error { done++; return nil })
	require.NotNil(t, lost)
	return at, lost, h, err
}

// nonPopular are the numbers of the inputs of a mini-batch with a row that is not
// hot.
func nonPopular(j *job, h *hotline.System, m int) (list []int) {
	for i, in := range j.inputs[m*j.batch : min((m+1)*j.batch, len(j.inputs))] {
		slot, first, popular := 0, uint32(0), true
		for _, table := range j.model.Tables {
			for range table.Lookups {
				_, hot := h.HotRows()[first+in.Sparse[slot]]
				popular = popular && hot
				slot++
			}
			first += uint32(table.Rows)
		}
		if !popular {
			list = append(list, i)
		}
	}
	return list
}

// TestLostVectors: a write that is a pooled vector, or part of one, is missed in
// the mini-batch that needs it, by its place.
func TestLostVectors(t *testing.T) {
	for _, dim := range []int{8, 128} { // one TLP, two TLPs
		for _, gpus := range []int{1, 3} {
			for n := 1; n < 400; n += 97 {
				j := newJob(t, 1, gpus)
				j.model.Dim, j.model.Bottom = dim, []int{3, dim}
				rowBytes := uint64(4 * dim)
				at, lost, h, err := lose(t, j, n, func(p *pcie.TLP) bool { return p.Addr >= gpuMemory && len(p.Data) > 16 })

				gpu := 0
				for gpu < gpus-1 && lost.Addr >= h.Pooled(gpu+1).Address() {
					gpu++
				}
				offset := lost.Addr - h.Pooled(gpu).Address()
				tables := uint64(len(j.model.Tables))
				input := nonPopular(j, h, at)[int(offset/rowBytes/tables)*gpus+gpu]
				table := offset / rowBytes % tables
				require.EqualError(t, err, fmt.Sprintf("Hotline, mini-batch %d: GPU %d: hotline: the pooled vector of input %d and table %d (%q) has not arrived: element %d is as it was before the gather",
					at, gpu, input, table, j.model.Tables[table].Name, offset%rowBytes/4))
			}
		}
	}
}

// TestLostBitmaps: of a bitmap that does not arrive, the one before is left.
func TestLostBitmaps(t *testing.T) {
	for place, base := range map[string]uint64{"host memory": 0, "the mailbox of GPU [01]": gpuMemory} {
		for n := 1; n <= 6; n++ {
			at, _, _, err := lose(t, newJob(t, 1, 2), n, func(p *pcie.TLP) bool { return p.Addr&gpuMemory == base && len(p.Data) == 16 })
			require.Error(t, err)
			require.Regexp(t, fmt.Sprintf("^Hotline, mini-batch (%d|%d): hotline: the popularity bitmap in %s says of input [0-9]+ that it is popular: (true|false), but its rows are all hot: (true|false)$",
				at, at+1, place), err.Error())
		}
	}
}

// TestLostHotSet: entries of a first and of a later hot set.
func TestLostHotSet(t *testing.T) {
	for n := 1; n < 80; n += 13 {
		j := newJob(t, 1, 2)
		j.opts.Relearn = 3
		first := uint64(0)
		at, lost, _, err := lose(t, j, n, func(p *pcie.TLP) bool {
			entries := p.Addr < gpuMemory && len(p.Data) == 64
			if entries && first == 0 {
				first = p.Addr
			}
			return entries
		})
		require.EqualError(t, err, fmt.Sprintf("Hotline, mini-batch %d: learning: hotline: entry %d of the hot set has not arrived in host memory", at, (lost.Addr-first)/8))
	}
}

// TestLostCompletions: the command is not answered, and nothing is left that
// could happen.
func TestLostCompletions(t *testing.T) {
	for n := 1; n < 60; n += 11 {
		_, lost, _, err := lose(t, newJob(t, 1, 2), n, func(p *pcie.TLP) bool {
			crc := crc32.MakeTable(crc32.Castagnoli)
			return p.Addr < gpuMemory && len(p.Data) == 32 && crc32.Checksum(p.Data[:28], crc) == binary.LittleEndian.Uint32(p.Data[28:])
		})
		require.EqualValues(t, n, binary.LittleEndian.Uint32(lost.Data), "its command's id")
		require.ErrorContains(t, err, " is not answered (command ring: device at ")
		require.ErrorIs(t, err, node.ErrDeadlock)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	}
}
