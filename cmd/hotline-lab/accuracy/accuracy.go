package accuracy

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"

	"github.com/hotline-rtl/hotline/gen/outfile"
	"github.com/hotline-rtl/hotline/sim/campaign"
)

// measuredFile contains the outcomes of all trainings.
const measuredFile = "cmd/hotline-lab/accuracy/measured.json"

//go:embed measured.json
var measuredText []byte

// Run trains all variants, writes the plots and prints the tables. With draw it trains nothing and
// uses the outcomes in measured.json. The working directory must be the root of the project.
func Run(draw bool, out, log io.Writer) error {
	if !draw {
		if err := measureAll(log); err != nil {
			return err
		}
	}
	all, err := readMeasured()
	if err != nil {
		return err
	}
	for _, s := range sweeps() {
		fmt.Fprintln(out, s.table(all))
		for name, svg := range s.pictures(all) {
			if err := outfile.WriteBytes(filepath.Join("docs/explanation/systems", name), []byte(svg)); err != nil {
				return err
			}
		}
	}
	return nil
}

// measured maps the name of a variant to its outcomes, one for each seed.
type measured map[string][]outcome

func readMeasured() (all measured, err error) {
	err = json.Unmarshal(measuredText, &all)
	return all, err
}

// measureAll trains all variants with all seeds, as many concurrently as there are processors.
func measureAll(log io.Writer) error {
	all, list := measured{}, variants()
	for _, v := range list {
		all[v.name()] = make([]outcome, seeds)
	}
	measured := func(i int) (err error) {
		v, seed := list[i/seeds], i%seeds
		to := &all[v.name()][seed]
		*to, err = measure(v, uint64(seed+1))
		fmt.Fprintf(log, "%s, seed %d: %+v\n", v.name(), seed+1, *to)
		return err
	}
	if err := campaign.Each(len(list)*seeds, func() func(int) error { return measured }); err != nil {
		return err
	}
	var err error
	if measuredText, err = json.MarshalIndent(all, "", "\t"); err != nil {
		return err
	}
	measuredText = append(measuredText, '\n')
	return outfile.WriteBytes(measuredFile, measuredText)
}

// variants returns the variants of all sweeps and their sequential trainings, without duplicates.
func variants() []variant {
	var list []variant
	seen := map[string]bool{}
	add := func(v variant) {
		if !seen[v.name()] {
			seen[v.name()] = true
			list = append(list, v)
		}
	}
	for _, s := range sweeps() {
		for _, l := range s.lines {
			for _, v := range l.variants {
				add(sequential(v.batch))
				add(v)
			}
		}
	}
	return list
}
