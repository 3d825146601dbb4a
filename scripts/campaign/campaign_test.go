package main

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

	"github.com/hotline-rtl/hotline/docs"
	"github.com/hotline-rtl/hotline/scripts/campaign/trial"
	"github.com/hotline-rtl/hotline/sim/cover"
)

// TestCampaign runs the compiled model of the configuration small.
func TestCampaign(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, settings{commands: allStatuses, seed: 1, config: "small", stretch: -1}.run(&out, io.Discard))
	require.Contains(t, out.String(), "statuses never seen: []")
}

// TestPaper runs the compiled model at the scale of the paper.
func TestPaper(t *testing.T) {
	require.NoError(t, settings{commands: 2 * stretchCommands, seed: 2, config: "paper", stretch: -1}.run(io.Discard, io.Discard))
}

// TestTiny runs the smallest accelerator, interpreted.
func TestTiny(t *testing.T) {
	require.NoError(t, settings{commands: 2 * stretchCommands, seed: 2, config: "tiny", stretch: -1}.run(io.Discard, io.Discard))
}

// TestJSON: the object has the keys that docs/json.md lists, and the figures of the tables.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, settings{commands: 1000, seed: 2, config: "tiny", stretch: -1, json: true}.run(&out, io.Discard))
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
	require.EqualError(t, settings{commands: 1, config: "small", json: true}.check(nil), "--json is of a whole campaign, without --stretch")
}

// TestRepeat has a stretch of a campaign again, alone.
func TestRepeat(t *testing.T) {
	p, err := configuration("small", 0)
	require.NoError(t, err)
	d, err := newDevice(p)
	require.NoError(t, err)
	c := &campaign{settings: settings{commands: 2 * stretchCommands, seed: 3}, device: d, log: io.Discard, result: trial.NewResult()}
	require.NoError(t, c.run())
	sum := trial.NewResult()
	for number := range 2 {
		r, err := c.of(number).Run()
		require.NoError(t, err)
		sum.Add(r)
	}
	require.Equal(t, c.result, sum)
}

// TestWaveforms has the end of a stretch written.
func TestWaveforms(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.vcd")
	s := settings{commands: 1, seed: 1, config: "small", stretch: 0, vcd: file, from: 20_000}
	require.NoError(t, s.run(io.Discard, io.Discard))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(text), "m_axis_read_desc_valid")
	require.Contains(t, string(text), "\n#80000000\n")
	require.NotContains(t, string(text), "\n#79996000\n")
}

func TestSettings(t *testing.T) {
	ok := settings{commands: 1, config: "small", stretch: -1}
	require.NoError(t, ok.check(nil))
	require.EqualError(t, ok.check([]string{"7"}), `argument "7", expected only flags`)
	require.EqualError(t, settings{config: "small"}.check(nil), "--commands is 0, expected at least 1")
	require.EqualError(t, settings{commands: 1, config: "large"}.check(nil), `configuration "large", expected small, paper, tiny or random`)
	require.EqualError(t, settings{commands: 1, config: "small", stretch: -1, vcd: "x"}.check(nil), "--vcd needs --stretch")
}

func TestRandomSizesAreValid(t *testing.T) {
	for seed := range uint64(500) {
		require.NoError(t, random(rand.New(rand.NewPCG(seed, 0))).Validate(), "seed %d", seed)
	}
}

// TestCover has a record of what two stretches exercise.
func TestCover(t *testing.T) {
	file := filepath.Join(t.TempDir(), "seen.json")
	require.NoError(t, settings{commands: 2 * stretchCommands, seed: 2, config: "tiny", stretch: -1, cover: file}.run(io.Discard, io.Discard))
	r, err := cover.Load(file)
	require.NoError(t, err)
	require.Equal(t, 2, r.Runs)
	_, all := r.Modules()
	require.Greater(t, 2*all.Bits.Seen, all.Bits.Of)
	require.Greater(t, 2*all.Values.Seen, all.Values.Of)
	require.Greater(t, 2*all.Conditions.Seen, all.Conditions.Of)
}
