package papers

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Cause is one change of machine or software that a paper's file declares before the run, as a
// possible reason why rows differ. It applies to all rows of the paper.
type Cause struct {
	Name     string  `hcl:"name,label" json:"name"`
	Software string  `hcl:"software,optional" json:"software,omitempty"` // attribute of the profile
	To       string  `hcl:"to,optional" json:"to,omitempty"`             // its value
	Constant string  `hcl:"constant,optional" json:"constant,omitempty"` // of the machine
	Value    float64 `hcl:"value,optional" json:"value,omitempty"`

	Differ int  `json:"differ"` // rows that differ without it
	Mends  int  `json:"mends"`  // of these, rows that hold with it
	Breaks int  `json:"breaks"` // rows that hold only without it
	Named  bool `json:"named"`  // it mends at least a third, and breaks fewer than it mends
}

// apply returns machine and software with the change.
func (c *Cause) apply(m *machine.Machine, p timing.Profile) (*machine.Machine, timing.Profile, error) {
	if c.Constant != "" {
		return m.With(c.Constant, c.Value), p, nil
	}
	attributes := map[string]*string{
		"loader": &p.Loader, "cpu": &p.CPU, "launch": &p.Launch, "tables": &p.Tables, "copies": &p.Copies,
		"hot_exchange": &p.HotExchange, "processes": &p.Processes, "slices": &p.Slices, "misses": &p.Misses,
	}
	a, ok := attributes[c.Software]
	if !ok {
		return m, p, fmt.Errorf("papers: cause %q: software has no attribute %q", c.Name, c.Software)
	}
	*a = c.To
	return m, p, nil
}

// judge counts the rows that a cause changes. A cause is named only if it mends a third of the rows
// that differ, so that a single row that happens to hold names nothing.
func (c Cause) judge(rows []Row) Cause {
	for _, r := range rows {
		if r.caused == nil || (r.Verdict != Holds && r.Verdict != Differs) {
			continue
		}
		after := r.holds(*r.caused)
		if r.Verdict == Differs {
			c.Differ++
			if after {
				c.Mends++
			}
		} else if !after {
			c.Breaks++
		}
	}
	c.Named = c.Differ > 0 && 3*c.Mends >= c.Differ && c.Mends > c.Breaks
	return c
}
