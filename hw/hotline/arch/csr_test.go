package arch_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

var update = flag.Bool("update", false, "write csrnumbers.go")

// TestNumbersOfRegisters: csrnumbers.go matches the register map.
func TestNumbersOfRegisters(t *testing.T) {
	const file = "csrnumbers.go"
	want := arch.CSRMap.Go("arch", "CSR")
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(want), 0o600))
	}
	have, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, want, string(have), "run go test -run NumbersOfRegisters ./hw/hotline/arch -update")
}
