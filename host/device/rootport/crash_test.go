//go:build linux

package rootport_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/rootport"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// broken is a card without a core, so that a register access panics.
type broken struct {
	link.Core
	ep *link.Endpoint
}

func (c *broken) Endpoint() *link.Endpoint { return c.ep }
func (c *broken) Err() error               { return nil }
func (c *broken) Configured(bool, bool)    {}

// TestCrash: when the simulation panics, Crash is called before the process ends.
func TestCrash(t *testing.T) {
	const name = "HOTLINE_TEST_CRASH"
	if file := os.Getenv(name); file != "" { // in the child process
		cfg := rootport.DefaultConfig()
		cfg.Crash = func() { require.NoError(t, os.WriteFile(file, []byte("called"), 0o600)) }
		p, err := rootport.New(cfg, func(k *des.Kernel, cfg link.EndpointConfig) (rootport.Card, error) {
			c := &broken{}
			var err error
			c.ep, err = link.NewEndpoint(k, cfg, c)
			return c, err
		}, nil)
		require.NoError(t, err)
		p.Config().Write(4, []byte{2, 0}) // memory space
		p.ReadBAR(0, 0, make([]byte, 4))
		return
	}
	file := filepath.Join(t.TempDir(), "crash")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrash$")
	cmd.Env = append(os.Environ(), name+"="+file)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "panic: runtime error: invalid memory address or nil pointer dereference")
	require.Contains(t, string(out), "ReadRegister", "the trace has the place of the panic")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "called", string(text))
}
