package hwtest_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/hwtest"
	"github.com/hotline-rtl/hotline/sim/simtest"
)

// TestWithModel: the code after WithModel runs with the model, and its failure fails the test.
func TestWithModel(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a model")
	}
	d, err := hw.Elaborate(simtest.ALU{Width: 8})
	require.NoError(t, err)
	s := hwtest.WithModel(t, d)
	if s == nil {
		return
	}
	require.NotEmpty(t, s.Ports())
	require.Empty(t, os.Getenv("TO_FAIL"))
}

// TestFailureWithModel: a failure in the other test binary is reported.
func TestFailureWithModel(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a model")
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestWithModel$")
	c.Env = append(os.Environ(), "TO_FAIL=1")
	out, err := c.CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "Should be empty, but was 1")
}
