package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	s, err := parse([]string{"--quick", "--json", "--verilator", "a", "--verilator", "b", "--cxx", "g++", "--only", "eal,isa", "--dir", "d"})
	require.NoError(t, err)
	require.Equal(t, settings{quick: true, json: true, verilators: []string{"a", "b"}, compilers: []string{"g++"}, only: []string{"eal", "isa"}, rounds: 3, dir: "d"}, s)

	s, err = parse([]string{"--dir", "d"})
	require.NoError(t, err)
	require.Equal(t, 7, s.rounds)
	require.Equal(t, []string{"verilator"}, s.verilators)
	require.Len(t, s.compilers, 1)
	require.Equal(t, []string{"hotline", "lookup", "eal", "dispatch", "reduce", "isa", "dma_read", "dma_write"}, s.only)

	s, err = parse([]string{"--quick", "--rounds", "1"})
	require.NoError(t, err)
	require.Equal(t, 1, s.rounds)
	require.False(t, s.check)

	s, err = parse([]string{"--check"})
	require.NoError(t, err)
	require.True(t, s.check)
}

func TestParseErrors(t *testing.T) {
	for args, want := range map[string]string{
		"--only=eal,gpu": `no design "gpu", expected some of hotline,`,
		"--rounds=0":     "--rounds is 0, expected at least 1",
		"fast":           `unexpected argument "fast"`,
	} {
		_, err := parse([]string{args})
		require.ErrorContains(t, err, want)
	}
}
