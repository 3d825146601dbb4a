package fault_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/fault"
)

func TestPlan(t *testing.T) {
	p, err := fault.Parse("p.hcl", []byte(`seed = 7
fault "timeout" {
  place = "dma_rd"
  nth = 3
  times = 2
}
fault "poison" {
  place = "gpu_rd"
  probability = 0.25
}
fault "flr" {
  place = "command"
  after_ps = 5
}`))
	require.NoError(t, err)
	require.Equal(t, &fault.Plan{Seed: 7, Rules: []fault.Rule{
		{Kind: fault.Timeout, Place: fault.DMARead, Nth: 3, Probability: 1, Times: 2},
		{Kind: fault.Poison, Place: fault.GPURead, Nth: 1, Probability: 0.25},
		{Kind: fault.FLR, Place: fault.Command, Nth: 1, Probability: 1, Times: 1, After: 5 * des.Picosecond},
	}}, p)
}

// TestHCL: the HCL form of a plan is the same plan.
func TestHCL(t *testing.T) {
	p := &fault.Plan{Seed: 7, Rules: []fault.Rule{
		{Kind: fault.Timeout, Place: fault.DMARead, Nth: 3, Probability: 1, Times: 2, Required: true},
		{Kind: fault.BitError, Place: fault.WireUp, Nth: 1, Probability: 1e-7, After: 5 * des.Second},
	}}
	got, err := fault.Parse("p.hcl", []byte(p.HCL()))
	require.NoError(t, err)
	require.Equal(t, p, got)
	for _, r := range p.Rules {
		require.NoError(t, r.Check())
	}
	require.ErrorContains(t, fault.Rule{Kind: fault.Drop, Place: fault.DMARead, Nth: 1, Probability: 1}.Check(), `there is no fault "drop" at dma_rd`)
}

func TestMistakesOfPlans(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      `p.hcl: there is no fault; expected blocks as fault "timeout" { place = "dma_rd" }`,
		"fault \"x\" {\nplace = \"dma_rd\"\n}":  `p.hcl:1: there is no fault "x"; expected one of bit_error, byte_count, ca, corrupt, drop, duplicate, ecrc, flr, late, link_down, lost_ack, lost_nak, lost_tlp, malformed, overflow, poison, repeated_tlp, replay_rollover, replay_timeout, timeout, unexpected, ur`,
		"\nfault \"ur\" {\nplace = \"x\"\n}":    `p.hcl:3: there is no place "x"; expected one of command, dma_rd, gpu_rd, dma_wr, completion, vector_wr, interrupt, doorbell, register, wire_down, wire_up`,
		"fault \"ur\" {\nplace = \"dma_wr\"\n}": `p.hcl:1: there is no fault "ur" at dma_wr; expected one of drop, duplicate, poison, ecrc, malformed, overflow, link_down, flr`,
		"fault \"ur\" {\nplace = \"dma_rd\"\nnth = 0\n}":           `p.hcl:3: nth is 0; expected at least 1`,
		"fault \"ur\" {\nplace = \"dma_rd\"\nafter_ps = -1\n}":     `p.hcl:3: after_ps is -1; expected at least 0`,
		"fault \"ur\" {\nplace = \"dma_rd\"\nprobability = 1.5\n}": `p.hcl:3: probability is 1.5; expected above 0 and at most 1`,
		"fault \"ur\" {\nplace = \"dma_rd\"\ntimes = -1\n}":        `p.hcl:3: times is -1; expected at least 0`,
		"fault \"ur\" {\nplace = \"x\"\n}\nfault \"x\" {\nplace = \"dma_rd\"\n}": "p.hcl:2: there is no place \"x\"; expected one of command, dma_rd, gpu_rd, dma_wr, completion, vector_wr, interrupt, doorbell, register, wire_down, wire_up\n" +
			"p.hcl:4: there is no fault \"x\"; expected one of bit_error, byte_count, ca, corrupt, drop, duplicate, ecrc, flr, late, link_down, lost_ack, lost_nak, lost_tlp, malformed, overflow, poison, repeated_tlp, replay_rollover, replay_timeout, timeout, unexpected, ur",
	} {
		_, err := fault.Parse("p.hcl", []byte(text))
		require.EqualError(t, err, want, text)
	}
	_, err := fault.Parse("p.hcl", []byte("fault \"ur\" {\n  plaice = \"dma_rd\"\n}"))
	require.ErrorContains(t, err, "p.hcl:")
	_, err = fault.Parse("plan", nil)
	require.EqualError(t, err, "plan: expected a file that ends with .hcl")
	_, err = fault.Load(filepath.Join(t.TempDir(), "none.hcl"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

// TestDocument: docs/reference/reliability.md lists every place and kind, and its example is a valid plan.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "```hcl\n")
	example, rest, _ := strings.Cut(rest, "```")
	p, err := fault.Parse("example.hcl", []byte(example))
	require.NoError(t, err)
	require.Len(t, p.Rules, 3)
	faults, _, _ := strings.Cut(rest, "\n## ")
	var listed, known []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*`) \\|").FindAllStringSubmatch(faults, -1) {
		for _, m := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(row[1], -1) {
			listed = append(listed, m[1])
		}
	}
	kinds := map[fault.Kind]bool{}
	for _, place := range append(append(fault.Places(), fault.Register), fault.Wires()...) {
		known = append(known, string(place))
		for _, k := range place.Kinds() {
			if !kinds[k] {
				known = append(known, string(k))
			}
			kinds[k] = true
		}
	}
	require.ElementsMatch(t, known, listed)
}
