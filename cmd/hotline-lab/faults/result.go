package faults

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// result accumulates the counts of an episode or a campaign.
type result struct {
	commands   int
	opcodes    map[arch.Opcode]int
	faults     map[at]int
	recoveries map[string]int // actions of the driver, by name
	again      int            // number of repeated jobs
	longest    des.Time       // longest time of a job in a round with a recovery
	simulated  des.Time
}

func newResult() *result {
	return &result{opcodes: map[arch.Opcode]int{}, faults: map[at]int{}, recoveries: map[string]int{}}
}

func (r *result) count(c arch.Command) {
	r.commands++
	r.opcodes[c.Opcode]++
}

// sum returns the number of recoveries, including repeated jobs.
func (r *result) sum() (n int) {
	for _, k := range r.recoveries {
		n += k
	}
	return n + r.again
}

// total returns the number of faults.
func (r *result) total() (n int) {
	for _, k := range r.faults {
		n += k
	}
	return n
}

func (r *result) add(other *result) {
	r.commands += other.commands
	r.again += other.again
	r.longest = max(r.longest, other.longest)
	r.simulated += other.simulated
	into(r.opcodes, other.opcodes)
	into(r.faults, other.faults)
	into(r.recoveries, other.recoveries)
}

func into[K comparable](sum, counts map[K]int) {
	for k, n := range counts {
		sum[k] += n
	}
}

// printed is the output of --json. Times are in picoseconds.
type printed struct {
	Schema        string         `json:"schema"`
	Configuration printedWith    `json:"configuration"`
	Seed          uint64         `json:"seed"`
	Commands      int            `json:"commands"`
	Faults        int            `json:"faults"`
	Again         int            `json:"jobs_again"`
	Longest       des.Time       `json:"longest_recovery_ps"`
	Simulated     des.Time       `json:"simulated_ps"`
	Opcodes       map[string]int `json:"opcodes"`
	Injected      map[string]int `json:"injected"`
	Recoveries    map[string]int `json:"recoveries"`
}

// printedWith contains the settings of the run.
type printedWith struct {
	Commands int     `json:"commands"`
	Hardware int     `json:"hardware"`
	Rate     float64 `json:"rate"`
}

// printJSON writes the results as one JSON object.
func (r *result) printJSON(w io.Writer, s Settings) error {
	p := printed{
		"hotline.soak-faults/1", printedWith{s.Commands, s.Hardware, s.Rate}, s.Seed, r.commands, r.total(), r.again, r.longest, r.simulated,
		map[string]int{}, map[string]int{}, r.recoveries,
	}
	for o, n := range r.opcodes {
		p.Opcodes[o.String()] += n
	}
	for at, n := range r.faults {
		p.Injected[fmt.Sprintf("%v, %v", at.kind, at.place)] += n
	}
	return json.NewEncoder(w).Encode(p)
}

// print writes the results as text.
func (r *result) print(w io.Writer) {
	fmt.Fprintf(w, "%d commands in %v, %d faults\n\ncommands\n", r.commands, r.simulated, r.total())
	for _, o := range slices.Sorted(maps.Keys(r.opcodes)) {
		fmt.Fprintf(w, "%9d  %v\n", r.opcodes[o], o)
	}
	fmt.Fprintln(w, "\nfaults")
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, p := range fault.Places() {
		fmt.Fprintf(t, "%s\t", p)
	}
	fmt.Fprintln(t, "")
	for _, k := range fault.Kinds() {
		for _, p := range fault.Places() {
			if n := r.faults[at{p, k}]; n > 0 {
				fmt.Fprint(t, n)
			}
			fmt.Fprint(t, "\t")
		}
		fmt.Fprintf(t, "  %s\n", k)
	}
	t.Flush()
	fmt.Fprintln(w, "\nwhat was done")
	for _, what := range slices.Sorted(maps.Keys(r.recoveries)) {
		fmt.Fprintf(w, "%9d  %s\n", r.recoveries[what], what)
	}
	fmt.Fprintf(w, "%9d  jobs done again\n\nlongest recovery: %v\n", r.again, r.longest)
}
