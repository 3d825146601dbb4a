//go:build linux

package vfiouser_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/vfiouser/client"
)

// TestStorm: 100,000 random messages without a crash, a message that is not
// answered, or a descriptor or goroutine that stays.
func TestStorm(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	r := newRig(t)
	files, routines := descriptors(t), runtime.NumGoroutine()
	storm, err := client.NewStorm(r.path, 1)
	require.NoError(t, err)
	require.NoError(t, storm.Run(n))
	storm.Close()
	t.Logf("%d messages on %d connections", storm.Sent, storm.Connections)

	require.NoError(t, r.connect().Close(), "the server goes on")
	end := time.Now().Add(client.Patience)
	for (descriptors(t) != files || runtime.NumGoroutine() > routines) && time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	require.Equal(t, files, descriptors(t))
	require.LessOrEqual(t, runtime.NumGoroutine(), routines)
}
