package node_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
)

// TestStopOn: a kernel whose events never end stops soon after it is told to, and
// does not begin again.
func TestStopOn(t *testing.T) {
	stop := errors.New("stop")
	for name, run := range map[string]func(k *node.Kernel) error{
		"Run":   func(k *node.Kernel) error { return k.Run(nil) },
		"RunTo": func(k *node.Kernel) error { return k.RunTo(node.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			k, told := node.NewKernel(), false
			k.StopOn(func() error {
				if told {
					return stop
				}
				return nil
			})
			var again func()
			again = func() {
				told = told || k.Executed() == 5000
				k.After(node.Nanosecond, again)
			}
			k.At(0, again)
			require.Equal(t, stop, run(k))
			require.Equal(t, uint64(5120), k.Executed())
			require.Equal(t, stop, run(k))
			require.Equal(t, uint64(5120), k.Executed())
		})
	}
}
