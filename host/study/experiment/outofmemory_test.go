package experiment_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/study/report/reporttest"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// onMachine runs a job with the functional model on a v100 with other memory sizes.
func onMachine(t *testing.T, gpuGiB, hostGiB string, systems []registry.Description, change func(*configs.Config)) *report.Report {
	text, err := machine.Source("v100")
	require.NoError(t, err)
	for name, value := range map[string]string{"gpu_memory_gib": gpuGiB, "host_memory_gib": hostGiB} {
		line := regexp.MustCompile(`(?m)^` + name + `( *)= .*$`)
		require.Regexp(t, line, string(text))
		text = line.ReplaceAll(text, []byte(name+"$1= "+value))
	}
	file := filepath.Join(t.TempDir(), "own.hcl")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	j := newJob(t, func(c *configs.Config) {
		require.NoError(t, c.SetMachine(file))
		if change != nil {
			change(c)
		}
	})
	j.Trace, j.HTML, j.Accelerator = true, true, experiment.Functional(*j.Config.Accelerator)
	j.Systems = systems
	return run(t, j)
}

// TestOutOfMemory: a system that exceeds the memory of the machine is a result, and the other
// systems run.
func TestOutOfMemory(t *testing.T) {
	const kib = "/1048576"
	both := bitIdentical(t)
	again := both[0]
	again.Name = "again"
	r := onMachine(t, "80"+kib, "192", both, nil)
	require.True(t, r.Trained())
	require.True(t, r.Identical())
	require.Empty(t, r.SpeedUps)
	require.Nil(t, r.Accelerator)
	require.Equal(t, 160, r.Inputs)
	require.Nil(t, r.Systems[0].OutOfMemory)
	require.True(t, *r.Systems[0].Identical)
	lost := r.Systems[1]
	require.Equal(t, &server.OutOfMemory{Where: "GPU 0 memory", Needs: 100 << 10, Has: 80 << 10, Parts: []server.Part{
		{What: "activations and their gradients", Bytes: 64 << 10}, // for 16 inputs: 26 x 4 pooled, 13 + 8 + 4 and 355 + 1 values
		{What: "hot table", Bytes: 8 << 10}, {What: "pooled vectors", Bytes: 8 << 10}, {What: "gradients", Bytes: 8 << 10},
		{What: "mailbox", Bytes: 4 << 10}, {What: "dense parameters", Bytes: 4 << 10}, {What: "dense gradients", Bytes: 4 << 10}}}, lost.OutOfMemory)
	require.Zero(t, lost.Time)
	require.Nil(t, lost.Loss)
	require.Nil(t, lost.Identical)
	require.EqualValues(t, 53120, lost.Parameters)
	page := reporttest.Text(t, pageOf(t, r))
	require.True(t, reporttest.Has(page, "hotline: out of memory"))
	require.Contains(t, page, "out of memory: GPU 0 memory has 81.9 kB, but needs 102.4 kB: ")
	text := printed(t, r)
	require.Contains(t, text, "\n  hotline  out of memory\n")
	require.True(t, strings.HasSuffix(text, "\nhotline  out of memory: GPU 0 memory has 81.9 kB, but needs 102.4 kB: 65.5 kB for activations and their gradients, 8.2 kB for hot table, "+
		"8.2 kB for pooled vectors, 8.2 kB for gradients, 4.1 kB for mailbox, 4.1 kB for dense parameters, 4.1 kB for dense gradients\n"), text)

	r = onMachine(t, "80"+kib, "192", []registry.Description{both[1], both[0], again}, nil)
	require.NotNil(t, r.Systems[0].OutOfMemory)
	require.Equal(t, 160, r.Inputs)
	require.Empty(t, r.SpeedUps, "over what was not trained")
	require.True(t, *r.Systems[1].Identical, "to itself")

	r = onMachine(t, "64"+kib, "192", both, nil)
	require.False(t, r.Trained())
	require.Equal(t, "GPU 0 memory", r.Systems[0].OutOfMemory.Where)
	require.Zero(t, r.Inputs)
	require.True(t, reporttest.Has(reporttest.Text(t, pageOf(t, r)), "hybrid: out of memory"))
	var trace strings.Builder
	require.NoError(t, r.WriteTrace(&trace))
	require.NotContains(t, trace.String(), "mini-batch")
}

// TestServersShareTheirMemory: rows are in one memory, whose size is the sum over all servers.
func TestServersShareTheirMemory(t *testing.T) {
	for nodes, fits := range map[int]bool{1: false, 2: true} {
		r := onMachine(t, "1", "5", catalog.Systems()[:1], func(c *configs.Config) {
			c.Training.Nodes, c.Data.Rows["C3"] = nodes, 100_000_000 // rows of 16 bytes
		})
		require.Equal(t, fits, r.Trained())
		if !fits {
			full := r.Systems[0].OutOfMemory
			require.Equal(t, []any{"host memory", uint64(1 << 30)}, []any{full.Where, full.Has}, "behind the first 4 GiB")
			require.Greater(t, full.Needs, uint64(1_600_000_000))
		}
	}
}
