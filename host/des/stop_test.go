package des_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
)

// TestStopOn: a kernel with endless events stops soon after a request and does not start again.
func TestStopOn(t *testing.T) {
	stop := errors.New("stop")
	for name, run := range map[string]func(k *des.Kernel) error{
		"Run":   func(k *des.Kernel) error { return k.Run(nil) },
		"RunTo": func(k *des.Kernel) error { return k.RunTo(des.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			k, asked := des.NewKernel(), false
			k.StopOn(func() error {
				if asked {
					return stop
				}
				return nil
			})
			var again func()
			again = func() {
				asked = asked || k.Executed() == 5000
				k.After(des.Nanosecond, again)
			}
			k.At(0, again)
			require.Equal(t, stop, run(k))
			require.Equal(t, uint64(5120), k.Executed())
			require.Equal(t, stop, run(k))
			require.Equal(t, uint64(5120), k.Executed())
		})
	}
}
