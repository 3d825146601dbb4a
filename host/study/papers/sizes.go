package papers

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
	"github.com/hotline-rtl/hotline/host/dlrm/tt"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
)

const (
	mib = 1 << 20
	gib = 1 << 30
)

// denseParameters returns the parameters of a model's MLPs, in thousands.
func denseParameters(_ *bench, r Record) (float64, string, error) {
	m, err := r.first().config()
	if err != nil {
		return 0, "", err
	}
	net, err := dlrm.NewNet(m, Seed)
	return float64(net.Len()) / 1e3, "", err
}

// tensorTrain returns the size of the tables in MiB if the large tables are in tensor-train form.
// For part "ratio", it returns the ratio of the size without tensor-train form to that size.
func tensorTrain(_ *bench, r Record) (float64, string, error) {
	c, o := r.first(), elrec.DefaultOptions()
	plain, compressed := 0, 0
	for _, n := range c.Sizes {
		plain += n * c.Dim
		if n <= o.Threshold {
			compressed += n * c.Dim
			continue
		}
		s, err := tt.ShapeOf(n, c.Dim, o.Rank)
		if err != nil {
			return 0, "", err
		}
		compressed += s.Len()
	}
	if r.Part == "ratio" {
		return float64(plain) / float64(compressed), "", nil
	}
	return float64(4*compressed) / mib, "", nil
}

// gpuMemory returns the GPU memory in GiB that EL-Rec requests on a GPU with almost none.
func gpuMemory(_ *bench, r Record) (float64, string, error) {
	t, err := trainingOf(r.first())
	if err != nil {
		return 0, "", err
	}
	var change func(*elrec.Options, Case)
	if r.Part == "plain" {
		change = uncompressed
	}
	_, make := elrecRun(change)(r.first())
	x, b, err := t.begun(make, 0.01)
	if err != nil {
		return 0, "", err
	}
	_, err = train.Run(x, b, train.Unwatched{}, nil)
	full := &server.OutOfMemory{}
	if !errors.As(err, &full) {
		return 0, "", fmt.Errorf("papers: EL-Rec fits into 0.01 GiB: %w", err)
	}
	return float64(full.Needs) / gib, "", nil
}

// scratchpad returns the size of a part of ScratchPipe's memory, in the unit of the row.
func scratchpad(_ *bench, r Record) (float64, string, error) {
	m, err := r.first().config()
	if err != nil {
		return 0, "", err
	}
	o := scratchpipe.DefaultOptions()
	window, tenth := 0, 0
	for _, t := range m.Tables {
		window += scratchpipe.WindowSlots(t.Rows, t.Lookups, r.first().all(), o.Past+1+o.Future)
		tenth += t.Rows / 10
	}
	slots, hitMap, order := float64(window*4*m.Dim), float64(tenth*scratchpipe.HitMapBytes), float64(tenth*scratchpipe.HeldBytes)
	parts := map[string]float64{
		"slots": slots / mib, "hit map": hitMap / 1e9, "order of use": order / 1e6, "all": (slots + hitMap + order) / 1e9,
		"share": 100 * float64(window) / float64(m.Rows()),
	}
	size, ok := parts[r.Part]
	if !ok {
		return 0, "", fmt.Errorf("papers: %s: there is no part %q", r.ID, r.Part)
	}
	return size, "", nil
}

// bankLookups returns the number of lookups that a queue issues per cycle: the oldest of each bank.
// The queue is refilled after each cycle.
func bankLookups(entries, banks int) float64 {
	const cycles = 100_000
	r := detmath.NewStream(Seed)
	waiting := make([]int, banks)
	for range entries {
		waiting[r.Uint64()%uint64(banks)]++
	}
	issued := 0
	for range cycles {
		free := 0
		for b := range waiting {
			if waiting[b] > 0 {
				waiting[b]--
				free++
			}
		}
		issued += free
		for range free {
			waiting[r.Uint64()%uint64(banks)]++
		}
	}
	return float64(issued) / cycles
}
