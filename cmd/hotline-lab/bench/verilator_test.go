package bench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumber(t *testing.T) {
	root := t.TempDir()
	program := filepath.Join(root, "bin", "verilator")
	const unknown = " rev vUNKNOWN-built20260516-4e853d8"
	header := filepath.Join(root, "include", "verilated_config.h")
	require.NoError(t, os.Mkdir(filepath.Dir(header), 0o755))

	got, err := number(program, "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)")
	require.NoError(t, err)
	require.Equal(t, "5.006", got)

	_, err = number(program, unknown)
	require.ErrorContains(t, err, program+` --version prints "`+unknown+`", expected a number: open `+header)

	require.NoError(t, os.WriteFile(header, []byte("#define VERILATOR_PRODUCT \"Verilator\"\n#define VERILATOR_VERSION \"5.49\"\n"), 0o644))
	got, err = number(program, unknown)
	require.NoError(t, err)
	require.Equal(t, "5.49", got)

	require.NoError(t, os.WriteFile(header, nil, 0o644))
	_, err = number(program, unknown)
	require.EqualError(t, err, header+" has no VERILATOR_VERSION")
}
