package hotline_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// surviving returns a job that continues after faults.
func surviving(t testing.TB) *job {
	j := newJob(t, 1, 2)
	defaults := hotline.DefaultOptions()
	j.opts.Retries, j.opts.Driver, j.opts.Relearn = defaults.Retries, defaults.Driver, 4
	return j
}

// disturbed trains under a plan of faults. It checks that the training ends in time with the
// parameters of the baseline, and that no tag is lost.
func disturbed(t testing.TB, j *job, base train.System, plan *fault.Plan) []fault.Event {
	s, h := j.hotline(t)
	x := fault.Inject(s, j.endpoint, plan)
	h.Driver().OnRecovery(x.Recovered)
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	require.Less(t, s.Kernel.Now(), 20*des.Second)
	require.NoError(t, s.Kernel.RunTo(s.Kernel.Now()+3*s.Config.Endpoint.CompletionTimeout))
	require.Zero(t, j.endpoint.TagsInUse())
	_, err = train.Compare(base, h)
	require.NoError(t, err)
	return x.Log()
}

// once returns a plan with one fault.
func once(kind fault.Kind, place fault.Place, n int) *fault.Plan {
	return &fault.Plan{Rules: []fault.Rule{{Kind: kind, Place: place, Nth: n, Probability: 1, Times: 1}}}
}

// TestWires: the link corrects all faults on the wires. A NAK can only be lost if there is one, so
// a bit error triggers it.
func TestWires(t *testing.T) {
	base := surviving(t).Baseline(t)
	for _, hardware := range []bool{false, true} {
		for place, other := range map[fault.Place]fault.Place{fault.WireDown: fault.WireUp, fault.WireUp: fault.WireDown} {
			for i, kind := range place.Kinds() {
				plan := once(kind, place, 50)
				switch {
				case hardware && i%3 != 0:
					continue
				case kind == fault.LostNAK:
					plan.Rules[0].Nth = 1
					plan.Rules = append(plan.Rules, once(fault.BitError, other, 50).Rules...)
				}
				j := surviving(t)
				j.hardware = hardware
				log := disturbed(t, j, base, plan)
				require.Len(t, log, len(plan.Rules), "%s at %s", kind, place)
				for _, e := range log {
					require.Equal(t, fault.Corrected, e.Outcome)
				}
			}
		}
	}
}

// TestBitErrorRate: a training with a bit error rate of 1e-5 ends like a training without errors.
func TestBitErrorRate(t *testing.T) {
	base := surviving(t).Baseline(t)
	bad := func(place fault.Place) fault.Rule {
		return fault.Rule{Kind: fault.BitError, Place: place, Nth: 1, Probability: 1e-5}
	}
	log := disturbed(t, surviving(t), base, &fault.Plan{Seed: 1, Rules: []fault.Rule{bad(fault.WireDown), bad(fault.WireUp)}})
	require.Greater(t, len(log), 20)
	require.Equal(t, []fault.Place{fault.WireDown, fault.WireUp}, places(log))
}

// places returns the places of the faults in a log.
func places(log []fault.Event) []fault.Place {
	var list []fault.Place
	for _, e := range log {
		list = append(list, e.Place)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestMatrix tests every fault at every place, at the first TLP there and at later ones.
// docs/reference/reliability.md lists the outcomes.
func TestMatrix(t *testing.T) {
	base := surviving(t).Baseline(t)
	var table strings.Builder
	for _, place := range fault.Places() {
		var rows []string // outcomes, in the order of the first kind that has them
		kinds := map[string][]string{}
		for _, kind := range place.Kinds() {
			var outcomes []string
			at := []int{1, 3, 40, 51}
			if place == fault.Doorbell {
				at = append(at, 70, 71, 72, 73) // also of a command without concurrent commands
			}
			for _, n := range at {
				log := disturbed(t, surviving(t), base, once(kind, place, n))
				require.Len(t, log, 1, "%s at %s", kind, place)
				outcomes = append(outcomes, log[0].Outcome)
			}
			slices.Sort(outcomes)
			row := strings.Join(slices.Compact(outcomes), "; ")
			if kinds[row] == nil {
				rows = append(rows, row)
			}
			kinds[row] = append(kinds[row], "`"+string(kind)+"`")
		}
		for _, row := range rows {
			fmt.Fprintf(&table, "| `%s` | %s | %s |\n", place, strings.Join(kinds[row], ", "), row)
		}
	}
	document, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	require.Contains(t, string(document), "| place | faults | outcome |\n|---|---|---|\n"+table.String()+"\n", "the matrix is\n%s", table.String())
}

// TestMatrixOnTheHardware: the hardware and its functional model survive in the same way.
func TestMatrixOnTheHardware(t *testing.T) {
	base := surviving(t).Baseline(t)
	for i, place := range fault.Places() {
		for k, kind := range place.Kinds() {
			if (i+k)%4 != 0 && kind != fault.FLR {
				continue
			}
			t.Run(fmt.Sprintf("%s at %s", kind, place), func(t *testing.T) {
				var logs [2][]fault.Event
				for m, hardware := range []bool{false, true} {
					j := surviving(t)
					j.hardware, j.card = hardware, arch.Small()
					logs[m] = disturbed(t, j, base, once(kind, place, 50))
					require.Len(t, logs[m], 1)
					logs[m][0].At, logs[m][0].TLP = 0, ""
				}
				require.Equal(t, logs[0], logs[1])
			})
		}
	}
}

// TestRandomFaults tests faults of all kinds at all places, with a rate of a few per thousand.
func TestRandomFaults(t *testing.T) {
	base := surviving(t).Baseline(t)
	for _, hardware := range []bool{false, true} {
		total := 0
		for seed := range uint64(8) {
			plan := &fault.Plan{Seed: seed}
			for _, place := range fault.Places() {
				for _, kind := range place.Kinds() {
					plan.Rules = append(plan.Rules, fault.Rule{Kind: kind, Place: place, Nth: 1, Probability: 0.0002, Times: 1})
				}
			}
			if hardware && seed > 1 {
				break
			}
			j := surviving(t)
			j.hardware, j.opts.Retries = hardware, 50
			total += len(disturbed(t, j, base, plan))
		}
		t.Log(total)
		require.Greater(t, total, 10)
	}
}

// TestSumsOfTheHardware: the hardware's sums match the memory, so without a fault no command is
// repeated.
func TestSumsOfTheHardware(t *testing.T) {
	j := newJob(t, 1, 2)
	j.hardware = true
	base := j.Baseline(t)
	_, h := j.hotline(t)
	_, err := train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	require.Zero(t, h.Driver().Survived())
	_, err = train.Compare(base, h)
	require.NoError(t, err)
}
