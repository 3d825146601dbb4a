package regmap_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/regmap"
)

// systemrdl-compiler, where it is installed for python3, finds the registers of the map.
func TestSystemRDL(t *testing.T) {
	if exec.Command("python3", "-c", "import systemrdl").Run() != nil {
		t.Skip("python3 has no systemrdl-compiler; pip install systemrdl-compiler")
	}
	out, err := exec.Command("python3", "testdata/fields.py", "testdata/meter.rdl").CombinedOutput()
	require.NoError(t, err, string(out))
	words := map[regmap.Access]string{
		regmap.ReadWrite: "rw - - False", regmap.ReadOnly: "r - - False", regmap.WriteOnly: "w - - False", regmap.Count: "r - - False",
		regmap.ReadClear: "r rclr - False", regmap.OneClears: "rw - woclr False", regmap.OneSets: "rw - woset False",
	}
	var want []string
	for _, p := range meter.Places() {
		f := p.Field
		access := words[f.Access]
		if f.Access == regmap.Pulse {
			access = map[bool]string{true: "w - - True", false: "w - - False"}[f.High == f.Low]
		}
		name := f.Name
		if name == "" {
			name = "value"
		}
		register := strings.Replace(p.Register.WordName(p.Element, 0), "_lo", "", 1)
		want = append(want, fmt.Sprintf("%s %s %d %d %d %d %s %d", register, name, p.Register.At(p.Element, 0), 4*p.Register.Words, f.High, f.Low, access, f.Reset))
	}
	require.Equal(t, want, strings.Split(strings.TrimSpace(string(out)), "\n"))
}

// A C compiler finds the offsets and the bits.
func TestHeader(t *testing.T) {
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
