package main

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

// TestLevels checks instruction sets that the processor supports and instruction sets that it
// lacks.
func TestLevels(t *testing.T) {
	lacking := errors.New("lacking")
	all := func(model.Level) error { return nil }
	none := func(model.Level) error { return lacking }
	for _, c := range []struct {
		check       func(model.Level) error
		names       []string
		out, errors string
	}{
		{all, nil, "", ""},
		{all, []string{"avx512"}, "", ""},
		{all, []string{"neon"}, "", "level \"neon\"; expected one of [\"best\" \"portable\" \"avx2\" \"avx512\"]"},
		{none, nil, notExecuted("avx2") + notExecuted("avx512"), ""},
		{none, []string{"avx512"}, notExecuted("avx2") + notExecuted("avx512"), "lacking"},
	} {
		var out bytes.Buffer
		err := levels(c.names, c.check, &out)
		require.Equal(t, c.out, out.String())
		if c.errors == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, c.errors)
		}
	}
}

func notExecuted(level string) string {
	return "NOT EXECUTED: kernels of level " + level + ", which this processor lacks\n"
}
