package fidelity

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/internal/rebuilt"
	"github.com/hotline-rtl/hotline/hw"
	_ "github.com/hotline-rtl/hotline/hw/hotline/models" // the model of the small configuration
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim/compiled"
)

// compared is a point with the results of both models for each command.
type compared struct {
	point
	cycle, functional []result
}

// compare measures a point with both models.
func (p point) compare(log io.Writer) (compared, error) {
	cycle, err := p.cycle(log)
	if err != nil {
		return compared{}, err
	}
	functional, err := p.measure(nil)
	if err != nil {
		return compared{}, err
	}
	return compared{p, cycle, functional}, nil
}

// cycle measures a point with the cycle model.
func (p point) cycle(log io.Writer) ([]result, error) {
	d, err := hw.Elaborate(top.Hotline{Params: p.params})
	if err != nil {
		return nil, err
	}
	if s, ok := compiled.Find(d); ok {
		return p.measure(s)
	}
	var out bytes.Buffer
	if err := rebuilt.Run(d, &out, log, "fidelity", "--cycle", "--only", p.name); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	var results []result
	return results, json.Unmarshal(out.Bytes(), &results)
}

// printCycle prints the results of the cycle model at the point with this name as JSON.
func printCycle(w io.Writer, name string) error {
	for _, p := range grid() {
		if p.name == name {
			results, err := p.cycle(os.Stderr)
			if err != nil {
				return err
			}
			return json.NewEncoder(w).Encode(results)
		}
	}
	return fmt.Errorf("there is no point %q", name)
}
