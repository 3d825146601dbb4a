package randomcommands

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/cmd/hotline-lab/randomcommands/trial"
	"github.com/hotline-rtl/hotline/docs"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim/cover"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// TestCampaign runs the compiled model of the small configuration.
func TestCampaign(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Settings{Commands: allStatuses, Seed: 1, Config: "small", Episode: -1}.Run(&out, io.Discard))
	require.Contains(t, out.String(), "statuses never seen: []")
}

// TestPaper runs the compiled model at the scale of the paper.
func TestPaper(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a model")
	}
	d, err := hw.Elaborate(top.Hotline{Params: arch.Paper()})
	require.NoError(t, err)
	if hwtest.WithModel(t, d) != nil {
		require.NoError(t, Settings{Commands: 2 * episodeCommands, Seed: 2, Config: "paper", Episode: -1}.Run(io.Discard, io.Discard))
	}
}

// TestTiny runs the smallest accelerator on the interpreter.
func TestTiny(t *testing.T) {
	require.NoError(t, Settings{Commands: 2 * episodeCommands, Seed: 2, Config: "tiny", Episode: -1}.Run(io.Discard, io.Discard))
}

// TestJSON checks that the object has the keys in docs/reference/json.md.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Settings{Commands: 1000, Seed: 2, Config: "tiny", Episode: -1, JSON: true}.Run(&out, io.Discard))
	var got map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	listed := map[string]bool{}
	for _, key := range docs.Keys("scripts/random-commands") {
		first, inner, _ := strings.Cut(key, ".")
		listed[first] = true
		require.Contains(t, got, first)
		if inner != "" && inner != "*" {
			require.Contains(t, got[first], inner)
		}
	}
	require.Len(t, got, len(listed))
	var figures reported
	require.NoError(t, json.Unmarshal(out.Bytes(), &figures))
	require.GreaterOrEqual(t, figures.Commands, 1000)
	sum := 0
	for _, of := range figures.Statuses {
		for _, n := range of {
			sum += n
		}
	}
	require.Positive(t, sum)
	require.EqualError(t, Settings{Commands: 1, Config: "small", JSON: true}.Check(), "--json is of a whole campaign; leave out --episode")
}

// TestRepeat checks that the episodes of a campaign are reproducible outside it.
func TestRepeat(t *testing.T) {
	p, err := configuration("small", 0)
	require.NoError(t, err)
	d, err := newDevice(p)
	require.NoError(t, err)
	c := &episodes{Settings: Settings{Commands: 2 * episodeCommands, Seed: 3}, device: d}
	all, err := c.run(io.Discard)
	require.NoError(t, err)
	sum := trial.NewResult()
	for number := range 2 {
		r, err := c.of(number).Run()
		require.NoError(t, err)
		sum.Add(r)
	}
	require.Equal(t, all, sum)
}

// TestWaveforms records the end of an episode.
func TestWaveforms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.vcd")
	s := Settings{Commands: 1, Seed: 1, Config: "small", Episode: 0, VCD: file, From: 20_000}
	require.NoError(t, s.Run(io.Discard, io.Discard))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "m_axis_read_desc_valid")
	require.Contains(t, string(text), "\n#80000000\n")
	require.NotContains(t, string(text), "\n#79996000\n")
}

func TestSettings(t *testing.T) {
	ok := Settings{Commands: 1, Config: "small", Episode: -1}
	require.NoError(t, ok.Check())
	require.EqualError(t, Settings{Config: "small"}.Check(), "--commands is 0, expected at least 1")
	require.EqualError(t, Settings{Commands: 1, Config: "large"}.Check(), `configuration "large", expected small, paper, tiny or random`)
	require.EqualError(t, Settings{Commands: 1, Config: "small", Episode: -1, VCD: "x"}.Check(), "--vcd needs --episode")
}

func TestRandomSizesAreValid(t *testing.T) {
	for seed := range uint64(500) {
		require.NoError(t, random(rand.New(rand.NewPCG(seed, 0))).Validate(), "seed %d", seed)
	}
}

// TestCover checks the coverage record of two episodes.
func TestCover(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seen.json")
	require.NoError(t, Settings{Commands: 2 * episodeCommands, Seed: 2, Config: "tiny", Episode: -1, Cover: file}.Run(io.Discard, io.Discard))
	r, err := cover.Load(file)
	require.NoError(t, err)
	require.Equal(t, 2, r.Runs)
	_, all := r.Modules()
	require.Greater(t, 2*all.Bits.Seen, all.Bits.Of)
	require.Greater(t, 2*all.Values.Seen, all.Values.Of)
	require.Greater(t, 2*all.Conditions.Seen, all.Conditions.Of)
}
