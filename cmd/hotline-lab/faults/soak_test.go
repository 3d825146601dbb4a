package faults

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/docs"
	"github.com/hotline-rtl/hotline/host/device/fault"
)

// TestSoak runs a short campaign with a higher rate of faults than the full campaign.
func TestSoak(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Settings{Commands: 30_000, Hardware: 1_000, Seed: 1, Rate: 20, Episode: -1}.Run(&out, io.Discard))
	for _, place := range fault.Places() {
		require.Contains(t, out.String(), string(place))
	}
	for _, what := range []string{"bus reset", "command repeated", "completion given up", "doorbell rung again", "found by polling", "function-level reset"} {
		require.Contains(t, out.String(), "  "+what+"\n")
	}
}

// TestJSON checks that the object has the keys in docs/reference/json.md, and that its counts are
// consistent.
func TestJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, Settings{Commands: 3_000, Seed: 1, Rate: 20, Episode: -1, JSON: true}.Run(&out, io.Discard))
	var got map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &got))
	for _, key := range docs.Keys("scripts/soak --faults") {
		first, inner, _ := strings.Cut(key, ".")
		require.Contains(t, got, first)
		if inner != "" && inner != "*" {
			require.Contains(t, got[first], inner)
			delete(got[first].(map[string]any), inner)
		} else if inner == "" {
			delete(got, first)
		}
	}
	require.Empty(t, got["configuration"])
	require.Len(t, got, 4, "and the open ones")
	sum := 0.
	for _, n := range got["opcodes"].(map[string]any) {
		sum += n.(float64)
	}
	var figures printed
	require.NoError(t, json.Unmarshal(out.Bytes(), &figures))
	require.EqualValues(t, figures.Commands, sum)
	require.Positive(t, figures.Faults)
}

// TestSame checks that an episode is reproducible.
func TestSame(t *testing.T) {
	s := Settings{Commands: 2_000, Hardware: 300, Seed: 3, Rate: 20}
	for number := range s.episodes() {
		first, err := s.of(number).run()
		require.NoError(t, err)
		second, err := s.of(number).run()
		require.NoError(t, err)
		require.Equal(t, first, second)
		require.NotEqual(t, newResult(), first)
	}
}

// TestFinds checks that a run reports a wrong byte in every area, and a job that takes too long.
func TestFinds(t *testing.T) {
	begin := func() *machine {
		m, err := newMachine(episode{seed: 1, commands: 100})
		require.NoError(t, err)
		for range 5 {
			require.NoError(t, m.round(m.draw()))
		}
		return m
	}
	require.NoError(t, begin().finish())
	for i := range begin().all {
		m := begin()
		a := m.all[i]
		last := a.Size() - 1
		require.NoError(t, a.Write(last, []byte{a.want[last] ^ 1}))
		require.ErrorContains(t, m.finish(), a.name+", byte ")
	}
	m := begin()
	m.result.recoveries["something"]++
	k := m.server.Kernel
	j := m.setScale()
	j.begun = k.Now()
	j.written = nowhere
	require.NoError(t, k.RunTo(k.Now()+longest+1))
	require.ErrorContains(t, m.end(j, mark{}), "took 1.000000000001s, expected at most 1s")
}

func TestSettings(t *testing.T) {
	ok := Settings{Commands: 1, Episode: -1}
	require.NoError(t, ok.Check())
	for want, s := range map[string]Settings{
		"--commands is -1 and --hardware 0, expected 0 or more, and not both 0": {Commands: -1},
		"--commands is 0 and --hardware 0, expected 0 or more, and not both 0":  {},
		"--rate is 101, expected 0 to 100":                                      {Commands: 1, Rate: 101},
		"--episode is 3, expected below 3":                                      {Commands: 10_001, Hardware: 5, Episode: 3},
	} {
		require.EqualError(t, s.Check(), want)
	}
}

// TestDocument checks that docs/reference/reliability.md contains the command, and the results of a
// run of the stated length.
func TestDocument(t *testing.T) {
	text, err := os.ReadFile("../../../docs/reference/reliability.md")
	require.NoError(t, err)
	_, figures, found := strings.Cut(string(text), "`scripts/soak --faults`")
	require.True(t, found)
	_, figures, _ = strings.Cut(figures, "```\n")
	figures, _, _ = strings.Cut(figures, "```")
	require.Regexp(t, `^10[0-9]{5} commands in [0-9.]+s, [0-9]{4} faults\n`, figures)
	for _, place := range fault.Places() {
		require.Contains(t, figures, string(place))
	}
	for _, kind := range fault.Kinds() {
		require.Contains(t, figures, "  "+string(kind)+"\n")
	}
}
