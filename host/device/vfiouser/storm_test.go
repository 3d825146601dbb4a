//go:build linux

package vfiouser_test

import (
	"errors"
	"maps"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/vfiouser/client"
)

// TestStorm sends 100,000 random messages. There must be no crash, no wrong or missing answer, and
// no leak of file descriptors or goroutines.
func TestStorm(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 10_000
	}
	r := newHarness(t)
	files, routines := descriptors(t), runtime.NumGoroutine()
	storm, err := client.NewStorm(r.path, 1)
	require.NoError(t, err)
	require.NoError(t, storm.Run(n))
	storm.Close()
	t.Logf("%d messages on %d connections, %d of them wrong", storm.Sent, storm.Connections, storm.Refused)
	require.Greater(t, storm.Refused, n/10)

	require.NoError(t, r.connect().Close(), "the server goes on")
	require.Zero(t, stays(t, files, routines))
}

// stays returns the number of leaked file descriptors and goroutines, after it has stopped falling.
func stays(t *testing.T, files, routines int) (n int) {
	for range 1000 {
		if n = max(0, descriptors(t)-files) + max(0, runtime.NumGoroutine()-routines); n == 0 {
			return 0
		}
		time.Sleep(time.Millisecond)
	}
	return n
}

// TestStormFindsBugs: the storm detects a server with a bug in its message handling. A proxy in
// front of the server injects the bugs. Without a bug, the proxy passes.
func TestStormFindsBugs(t *testing.T) {
	const none = "none"
	all := maps.Clone(bugs)
	all[none] = bug{}
	for name, b := range all {
		t.Run(name, func(t *testing.T) {
			r := newHarness(t)
			path := r.path + "bug"
			p := startProxy(t, path, r.path, b)
			files, routines := descriptors(t), runtime.NumGoroutine()
			storm, err := client.NewStorm(path, 1)
			require.NoError(t, err)
			err = storm.Run(5000)
			storm.Close()
			if err == nil && stays(t, files, routines) > 0 {
				err = errors.New("descriptors or goroutines stay")
			}
			p.stop()
			require.Equal(t, name != none, err != nil, "%v", err)
			t.Logf("after %d messages: %v", storm.Sent, err)
		})
	}
}
