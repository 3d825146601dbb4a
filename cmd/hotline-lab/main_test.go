package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExitCodes: wrong command lines exit with 2 and failures with 1. Each prints one line that
// names the verb.
func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		args   []string
		code   int
		stderr string
	}{
		{[]string{"--help"}, 0, ""},
		{[]string{"levels"}, 0, ""},
		{[]string{"levels", "neon"}, 1, "levels: level \"neon\"; expected one of [\"best\" \"portable\" \"avx2\" \"avx512\"]\n"},
		{[]string{"arithmetic", "7"}, 2, "arithmetic: argument \"7\", expected only flags\n"},
		{[]string{"arithmetic", "--pairs", "0"}, 2, "arithmetic: expected at least 1 pair\n"},
		{[]string{"arithmetic", "--pears", "1"}, 2, "arithmetic: unknown flag: --pears\n"},
		{[]string{"trainings", "--batches", "1"}, 2, "trainings: --batches is 1, expected at least 2\n"},
		{[]string{"bench", "--only", "eal,gpu"}, 2, "bench: no design \"gpu\", expected some of hotline,lookup,eal,dispatch,reduce,isa,dma_read,dma_write\n"},
		{[]string{"faults", "--rate", "101"}, 2, "faults: --rate is 101, expected 0 to 100\n"},
		{[]string{"random-commands", "--commands", "0"}, 2, "random-commands: --commands is 0, expected at least 1\n"},
		{[]string{"designs"}, 2, "designs: expected one folder\n"},
		{[]string{"manpages"}, 2, "manpages: 0 arguments, expected one folder\n"},
		{[]string{"nothing"}, 2, "hotline-lab: unknown command \"nothing\" for \"hotline-lab\"\n"},
	} {
		var out, stderr bytes.Buffer
		require.Equal(t, c.code, execute(c.args, &out, &stderr), c.args)
		require.Equal(t, c.stderr, stderr.String(), c.args)
	}
}

// TestVerdict: a check with findings fails without an additional message.
func TestVerdict(t *testing.T) {
	require.NoError(t, verdict(true, nil))
	require.Equal(t, errFailed, verdict(false, nil))
	require.ErrorContains(t, verdict(false, bytes.ErrTooLarge), "too large")
}
