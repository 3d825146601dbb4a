package compiled

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/compiled/model"
	"github.com/hotline-rtl/hotline/sim/interp"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

func fifo(t *testing.T, depth int) *ir.Design {
	d, err := hw.Elaborate(simtest.FIFO{Width: 8, Depth: depth})
	require.NoError(t, err)
	return d
}

func TestNew(t *testing.T) {
	d := fifo(t, 4)
	s, note, err := New(d)
	require.NoError(t, err)
	require.IsType(t, &interp.Sim{}, s)
	require.Contains(t, note, "interpreted: no model")
	model.Register(ir.Hash(d), func() sim.Simulator { return nil })
	s, note, err = New(d)
	require.NoError(t, err)
	require.Nil(t, s)
	require.Contains(t, note, "compiled")
	_, ok := Find(fifo(t, 8))
	require.False(t, ok)
}

func TestBuild(t *testing.T) {
	d, dir := fifo(t, 16), t.TempDir()
	const command = modulePath + "/sim/compiled/testdata/has"
	program, err := Build(d, command, dir)
	require.NoError(t, err)
	for hash, want := range map[string]string{ir.Hash(d): "true", ir.Hash(fifo(t, 32)): "false"} {
		out, err := exec.Command(program, hash).Output()
		require.NoError(t, err)
		require.Equal(t, want, strings.TrimSpace(string(out)))
	}
	before, err := os.Stat(program)
	require.NoError(t, err)
	again, err := Build(d, command, dir)
	require.NoError(t, err)
	require.Equal(t, program, again)
	after, err := os.Stat(again)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime(), "it was built again")
	_, err = Build(d, modulePath+"/no/such/command", dir)
	require.ErrorContains(t, err, "compiled: go list")
}

func TestBuildWithoutGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Build(fifo(t, 4), modulePath+"/cmd/hotline", t.TempDir())
	require.ErrorContains(t, err, "needs the Go toolchain")
}
