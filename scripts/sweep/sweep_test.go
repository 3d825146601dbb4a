package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSweep takes away some of the resets; scripts/resets does all.
func TestSweep(t *testing.T) {
	const every = 20
	var out bytes.Buffer
	ok, err := sweep(&out, known(survivorsText), every)
	require.NoError(t, err)
	require.True(t, ok, out.String())
	require.Contains(t, out.String(), " resets removed, ")
}

// TestSurvivorsHaveReasons reads the list.
func TestSurvivorsHaveReasons(t *testing.T) {
	list := known(survivorsText)
	require.Len(t, list, strings.Count(survivorsText, "\n")-2)
	for name, reason := range list {
		require.Contains(t, name, "/")
		require.NotEmpty(t, reason, name)
	}
}
