package machine_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/train/machine"
)

// TestHCL: a written machine is read as the same machine.
func TestHCL(t *testing.T) {
	for _, name := range machine.Names() {
		m, err := machine.Named(name)
		require.NoError(t, err)
		m = m.Replace(machine.Constant{Name: "nic_gb_per_s", Value: 0.1, Low: 0.05, High: 1e-1, Source: "a \"test\" of ${quotes}"})
		m.Name, m.Title = "own", "Own, \\ and %{quoted}"
		path := filepath.Join(t.TempDir(), "own.hcl")
		require.NoError(t, os.WriteFile(path, m.HCL(), 0o600))
		got, err := machine.Load(path)
		require.NoError(t, err)
		require.Equal(t, m, got)
	}
}

func TestReplace(t *testing.T) {
	m := machine.Default()
	k, _ := m.Constant("nic_gb_per_s")
	k.Value = 12
	require.Equal(t, 12.0, m.Replace(k).NICGBPerSecond)
	require.Equal(t, 12.2, m.NICGBPerSecond)
	for _, wrong := range []func(*machine.Constant){
		func(k *machine.Constant) { k.Name = "colour" },
		func(k *machine.Constant) { k.Low = 13 },
		func(k *machine.Constant) { k.Source = "" },
	} {
		w := k
		wrong(&w)
		require.Panics(t, func() { m.Replace(w) })
	}
}
