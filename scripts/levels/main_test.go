package main

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// TestRun asks for levels of which this processor lacks some, or none.
func TestRun(t *testing.T) {
	lacking := errors.New("lacking")
	all := func(model.Level) error { return nil }
	none := func(model.Level) error { return lacking }
	for _, c := range []struct {
		check       func(model.Level) error
		names       []string
		out, errors string
		status      int
	}{
		{all, nil, "", "", 0},
		{all, []string{"avx512"}, "", "", 0},
		{all, []string{"neon"}, "", "levels: level \"neon\"; expected one of [\"best\" \"portable\" \"avx2\" \"avx512\"]\n", 1},
		{none, nil, notExecuted("avx2") + notExecuted("avx512"), "", 0},
		{none, []string{"avx512"}, notExecuted("avx2") + notExecuted("avx512"), "levels: lacking\n", 1},
	} {
		var out, problems bytes.Buffer
		require.Equal(t, c.status, run(c.names, c.check, &out, &problems))
		require.Equal(t, c.out, out.String())
		require.Equal(t, c.errors, problems.String())
	}
}

func notExecuted(level string) string {
	return "NOT EXECUTED: kernels of level " + level + ", which this processor lacks\n"
}
