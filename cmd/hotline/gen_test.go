package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
)

func TestGen(t *testing.T) {
	out := filepath.Join(t.TempDir(), "a", "b")
	code, stdout, stderr := hotline("gen", "--config", tiny, "--out", out)
	require.Zero(t, code, stderr)
	require.Empty(t, stderr)

	list := strings.Fields(text(t, filepath.Join(out, "hotline.f")))
	require.Equal(t, fmt.Sprintf("tiny: %d modules in %s, listed in hotline.f\n", len(list), out), stdout)
	require.Equal(t, "hotline.v", list[len(list)-1])
	want := append(slices.Clone(list), "hotline.f", "manifest.json")
	slices.Sort(want)
	require.Equal(t, want, names(t, out))

	var m gen.Manifest
	require.NoError(t, json.Unmarshal([]byte(text(t, filepath.Join(out, "manifest.json"))), &m))
	require.Len(t, m.Modules, len(list))

	uses := 0
	for i, file := range list {
		source := text(t, filepath.Join(out, file))
		for k, other := range list {
			instance := regexp.MustCompile(`(?m)^ +` + strings.TrimSuffix(other, ".v") + ` (#\(|\w+ \()`)
			if instance.MatchString(source) {
				uses++
				require.Less(t, k, i, "%s uses %s", file, other)
			}
		}
	}
	require.GreaterOrEqual(t, uses, len(list)-1, "every module but the top is used")
}

func TestGenAgain(t *testing.T) {
	out := t.TempDir()
	code, _, _ := hotline("gen", "--config", tiny, "--out", out)
	require.Zero(t, code)
	before, err := os.Stat(filepath.Join(out, "hotline.v"))
	require.NoError(t, err)
	code, _, _ = hotline("gen", "--config", tiny, "--out", out)
	require.Zero(t, code)
	after, err := os.Stat(filepath.Join(out, "hotline.v"))
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime())
	require.NotContains(t, text(t, filepath.Join(out, "hotline.v")), ".go:")

	code, _, _ = hotline("gen", "--config", tiny, "--out", out, "--source")
	require.Zero(t, code)
	require.Contains(t, text(t, filepath.Join(out, "hotline.v")), ".go:")
}
