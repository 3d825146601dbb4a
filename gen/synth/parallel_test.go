package synth

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
)

// TestCache: a block is mapped once per set of inputs of Yosys. Afterwards its netlist is read from
// the cache.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	entries := func() []string {
		list, err := filepath.Glob(filepath.Join(dir, "cells-*"))
		require.NoError(t, err)
		return list
	}
	first := mapModule(t, toggle{}, Options{Cache: dir})
	require.Len(t, entries(), 1)
	require.Equal(t, first[0].AreaUM2(), mapModule(t, toggle{}, Options{Cache: dir})[0].AreaUM2())
	require.Len(t, entries(), 1)

	damaged := filepath.Join(entries()[0], cellsFile)
	require.NoError(t, os.WriteFile(damaged, []byte("{"), 0o644))
	d, err := hw.Elaborate(toggle{})
	require.NoError(t, err)
	_, err = Run(t.Context(), d, Options{Liberty: cells, MHz: 100, Cache: dir})
	require.ErrorContains(t, err, "toggle: ", "the second run read the cache")

	mapModule(t, pad{}, Options{Cache: dir})
	require.Len(t, entries(), 2)
}

// TestUnwritableCache: blocks are mapped even if the cache cannot be written.
func TestUnwritableCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.Len(t, mapModule(t, toggle{}, Options{Cache: file}), 1)
}

// TestFailureOfABlock: the error names the block and ends the run.
func TestFailureOfABlock(t *testing.T) {
	tools.Need(t, "yosys", "sta")
	d, err := hw.Elaborate(crowd{})
	require.NoError(t, err)
	t.Setenv("PATH", "")
	_, err = Run(t.Context(), d, Options{Liberty: cells, MHz: 100, Cache: t.TempDir(), cut: limits{largest: 10, least: 1}})
	require.ErrorContains(t, err, ": program \"yosys\" not found; install it or add it to PATH")
}

// TestEstimate: the estimate assumes that the time is proportional to the size.
func TestEstimate(t *testing.T) {
	blocks := []*Block{{size: 2500}, {size: 500}, {size: 500}}
	e := newEstimate(blocks)
	e.begin = time.Now().Add(-time.Minute)
	require.Equal(t, 40*time.Second, e.mapped(blocks[0]))
	e.mapped(blocks[1])
	require.Zero(t, e.mapped(blocks[2]))
}
