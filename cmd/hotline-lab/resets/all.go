package resets

import (
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/hw/ir"
)

//go:embed survivors.txt
var survivorsText string

const (
	batches = 1
	cycles  = 5000 // maximum length of the recorded run
	seeds   = 4
)

// Run removes each reset, searches for stale state, and reports whether there are no new findings.
func Run(out io.Writer) (ok bool, err error) {
	ok, err = all(out, known(survivorsText), 1)
	if err != nil {
		return false, err
	}
	found, err := stale(smallest(), func(*ir.Design) {}, staleEpisodes)
	if err != nil {
		return false, err
	}
	for _, path := range found {
		fmt.Fprintf(out, "%s has no reset, and is READ before it is written\n", path)
	}
	fmt.Fprintf(out, "%d episodes of random commands, %d values of before a reset reach the boundary\n", staleEpisodes, len(found))
	return ok && len(found) == 0, nil
}

// all removes every n-th reset of each block of the default configuration and prints the survivors.
// It reports whether the survivors are the expected ones.
func all(out io.Writer, expected map[string]string, n int) (ok bool, err error) {
	dir, err := os.MkdirTemp("", "resets")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	r, err := record(configs.Small(), batches, cycles)
	if err != nil {
		return false, err
	}
	blocks, err := r.blocks()
	if err != nil {
		return false, err
	}
	ok = true
	tried, survivors := 0, 0
	for _, block := range slices.Sorted(maps.Keys(blocks)) {
		t, err := newRemoval(blocks[block])
		if err != nil {
			return false, err
		}
		for i, x := range resets(t.d) {
			if i%n > 0 {
				continue
			}
			survives, err := t.survives(x, dir)
			if err != nil {
				return false, err
			}
			tried++
			if survives {
				survivors++
			}
			name := block + "/" + x.name
			reason, listed := expected[name]
			text, expect := verdict(survives, listed, reason)
			if text != "" {
				fmt.Fprintln(out, name, text)
			}
			ok = ok && expect
		}
	}
	fmt.Fprintf(out, "%d cycles, %d resets removed, %d survive\n", r.cycles(), tried, survivors)
	return ok, nil
}
