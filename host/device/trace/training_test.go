package trace_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/device/trace"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// training returns the capture of a training with the functional accelerator.
func training(t *testing.T) ([]byte, *configs.Config) {
	cfg, err := configs.Load("../../study/experiment/testdata/tiny.hcl")
	require.NoError(t, err)
	clicks, err := experiment.Clicks(cfg)
	require.NoError(t, err)
	systems, err := registry.Choose(catalog.Systems(), "hotline")
	require.NoError(t, err)
	var file bytes.Buffer
	w, err := capture.NewWriter(&file, "accelerator")
	require.NoError(t, err)
	_, err = experiment.Run(context.Background(), experiment.Job{
		Config: cfg, Data: clicks, Systems: systems, Accelerator: experiment.Functional(*cfg.Accelerator),
		Slot: func(s *server.Server) {
			e := s.Config.Endpoint
			w.Function(capture.Function{ID: e.ID, BAR: e.BAR, MSIXOffset: e.MSIXOffset})
			capture.Record(s.Slot(), w)
		},
	})
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return file.Bytes(), cfg
}

// TestTsharkOnATraining: tshark and package trace agree on every TLP of a training, and a replay
// sends the TLPs again.
func TestTsharkOnATraining(t *testing.T) {
	file, cfg := training(t)
	x := agree(t, file)
	require.Greater(t, len(x.Events), 4000)
	for _, e := range x.Select(trace.Filter{}) {
		require.NotEqual(t, trace.Unexpected, e.Role)
	}
	for _, c := range x.Commands {
		require.NotZero(t, c.Completed)
	}
	got, err := experiment.Replay(cfg, experiment.Functional(*cfg.Accelerator), x)
	require.NoError(t, err)
	require.Nil(t, got.Difference)
}
