//go:build linux

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCommand: a command passes if it succeeds and prints a matching line.
func TestCommand(t *testing.T) {
	echo := []string{"echo", "one\ntwo three"}
	require.NoError(t, command("two t.*", echo))
	require.EqualError(t, command("two", echo), "no line of the output matches two", "which is but a part of a line")
	require.ErrorContains(t, command(".*", []string{"false"}), "exit status 1")
	require.ErrorContains(t, command(".*", []string{"/none"}), "no such file")
	require.ErrorContains(t, command("(", echo), "missing closing )")
}
