package randomcommands

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/trial"
)

// wanted lists the statuses that a campaign must produce.
var wanted = []int{0, 1, 2, 8, 9, 10, 11, 12, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42}

// missing returns the wanted statuses that r lacks.
func missing(r *trial.Result) (out []int) {
	for _, status := range wanted {
		if !slices.ContainsFunc(slices.Collect(maps.Values(r.Statuses)), func(n map[int]int) bool { return n[status] > 0 }) {
			out = append(out, status)
		}
	}
	return out
}

// report prints the tables of a campaign.
func report(w io.Writer, r *trial.Result) {
	statuses := map[int]bool{}
	for _, n := range r.Statuses {
		for s := range n {
			statuses[s] = true
		}
	}
	columns := slices.Sorted(maps.Keys(statuses))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "status\t")
	for _, s := range columns {
		fmt.Fprintf(t, "%d\t", s)
	}
	fmt.Fprintln(t)
	for _, kind := range slices.Sorted(maps.Keys(r.Statuses)) {
		fmt.Fprintf(t, "%s\t", kind)
		for _, s := range columns {
			fmt.Fprintf(t, "%s\t", strings.TrimPrefix(fmt.Sprint(r.Statuses[kind][s]), "0"))
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	counts(w, "injected", r.Faults)
	counts(w, "driver", r.Events)
	fmt.Fprintf(w, "\n%d commands, %d cycles; statuses never seen: %v\n", r.Commands, r.Cycles, missing(r))
}

// reported is the output of --json.
type reported struct {
	Schema        string                    `json:"schema"`
	Configuration reportedWith              `json:"configuration"`
	Seed          uint64                    `json:"seed"`
	Commands      int                       `json:"commands"`
	Cycles        uint64                    `json:"cycles"`
	Statuses      map[string]map[string]int `json:"statuses"`
	Missing       []int                     `json:"missing"`
	Injected      map[string]int            `json:"injected"`
	Driver        map[string]int            `json:"driver"`
}

// reportedWith contains the settings of the campaign.
type reportedWith struct {
	Commands int    `json:"commands"`
	Config   string `json:"config"`
}

// reportJSON prints the results of a campaign as one JSON object.
func (s Settings) reportJSON(w io.Writer, r *trial.Result) error {
	statuses := map[string]map[string]int{}
	for kind, n := range r.Statuses {
		statuses[kind] = map[string]int{}
		for status, count := range n {
			statuses[kind][strconv.Itoa(status)] = count
		}
	}
	return json.NewEncoder(w).Encode(reported{
		"hotline.random-commands/1", reportedWith{s.Commands, s.Config}, s.Seed, r.Commands, r.Cycles, statuses, append([]int{}, missing(r)...), r.Faults, r.Events,
	})
}

func counts(w io.Writer, title string, n map[string]int) {
	fmt.Fprintf(w, "\n%s\n", title)
	for _, k := range slices.Sorted(maps.Keys(n)) {
		fmt.Fprintf(w, "%9d  %s\n", n[k], k)
	}
}
