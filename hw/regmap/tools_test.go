package regmap_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// TestSystemRDL checks that systemrdl-compiler finds the registers of the maps of this package's
// tests and of the accelerator.
func TestSystemRDL(t *testing.T) {
	tools.Need(t, "python3")
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	python := filepath.Join(cache, "hotline", "python", "bin", "python")
	require.FileExists(t, python, "scripts/setup installs systemrdl-compiler there")
	check := func(file string, places []regmap.Place) {
		out, err := exec.Command(python, "testdata/fields.py", file).CombinedOutput()
		require.NoError(t, err, string(out))
		require.Equal(t, fieldsOf(places), strings.Split(strings.TrimSpace(string(out)), "\n"))
	}
	check("testdata/meter.rdl", meter.Places())
	file := filepath.Join(t.TempDir(), "csrs.rdl")
	require.NoError(t, os.WriteFile(file, []byte(arch.CSRMap.SystemRDL()), 0o600))
	check(file, arch.CSRMap.Places())
}

// fieldsOf returns the expected output of testdata/fields.py for places.
func fieldsOf(places []regmap.Place) (lines []string) {
	words := map[regmap.Access]string{
		regmap.ReadWrite: "rw - - False", regmap.ReadOnly: "r - - False", regmap.WriteOnly: "w - - False", regmap.Count: "r - - False",
		regmap.ReadClear: "r rclr - False", regmap.OneClears: "rw - woclr False", regmap.OneSets: "rw - woset False",
	}
	for _, p := range places {
		f := p.Field
		access := words[f.Access]
		if f.Access == regmap.Pulse {
			access = map[bool]string{true: "w - - True", false: "w - - False"}[f.High == f.Low]
		}
		name := f.Name
		if name == "" {
			name = "value"
		}
		register := p.Register.WordName(p.Element, 0)
		if p.Register.Words == 2 {
			register = strings.Replace(register, "_lo", "", 1)
		}
		lines = append(lines, fmt.Sprintf("%s %s %d %d %d %d %s %d", register, name, p.Register.At(p.Element, 0), 4*p.Register.Words, f.High, f.Low, access, f.Reset))
	}
	return lines
}

// TestHeader checks that a C compiler computes the same offsets and bits.
func TestHeader(t *testing.T) {
	tools.Need(t, "gcc")
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "meter.h"), []byte(meter.Header()), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.c"), []byte(`#include "meter.h"
#include <stdio.h>
int main(void)
{
	printf("%d %d %d %d\n", METER_LIMIT, METER_BASE(2), METER_NOW_HI(1), METER_RING_LO);
	printf("%d %x %x\n", METER_STATUS_TAKEN_SHIFT, METER_STATUS_TAKEN_MASK, METER_CONTROL_REG);
}
`), 0o600))
	out, err := exec.Command("gcc", "-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", filepath.Join(dir, "main"), filepath.Join(dir, "main.c")).CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command(filepath.Join(dir, "main")).CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "0 24 68 44\n21 ffe00000 2\n", string(out))
}
