package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// faultPlan writes a plan with a read of a row that times out, and a lost write of a row. It
// returns the path.
func faultPlan(t *testing.T) string {
	file := filepath.Join(t.TempDir(), "faults.hcl")
	require.NoError(t, os.WriteFile(file, []byte(`fault "timeout" {
  place = "dma_rd"
  nth   = 5
}
fault "drop" {
  place = "dma_wr"
  nth   = 40
}
`), 0o644))
	return file
}

// TestFaults: injected faults are listed, and the parameters are the same, on the functional model
// and on the hardware.
func TestFaults(t *testing.T) {
	for _, command := range []string{"train", "cosim"} {
		code, stdout, stderr := hotline(command, "--config", tiny, "--faults", faultPlan(t))
		require.Zero(t, code, stderr)
		require.Regexp(t, `(?m)^faults +1 timeout at dma_rd: (engine reset|command repeated)$`, stdout)
		require.Regexp(t, `(?m)^faults +1 drop at dma_wr: command repeated$`, stdout)
		require.Regexp(t, `(?m)^error messages +0 correctable, 1 non-fatal, 0 fatal$`, stdout)
		require.Contains(t, stdout, "bit-identical")
	}
}

// TestFaultsBeforeAnError: an error lists the faults before it.
func TestFaultsBeforeAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "faults.hcl")
	require.NoError(t, os.WriteFile(file, []byte("fault \"ur\" {\n  place = \"dma_rd\"\n  probability = 1\n}\n"), 0o644))
	code, _, stderr := hotline("train", "--config", tiny, "--faults", file)
	require.NotZero(t, code)
	require.Regexp(t, `failed: unsupported request \(status 10\)\n +faults before that:\n +32 ur at dma_rd: engine reset\n +8 ur at dma_rd: the run ended\n`, stderr)
}

// TestFaultsInACapture: the packet list contains the faults with their TLPs, and a replay repeats
// them. Package host/device/trace tests tshark.
func TestFaultsInACapture(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "faults.hcl")
	text := "fault \"late\" {\n  place = \"gpu_rd\"\n}\n"
	for _, f := range []string{"timeout at dma_rd", "drop at dma_wr", "poison at dma_wr", "ecrc at vector_wr", "duplicate at completion", "unexpected at dma_rd", "corrupt at command", "drop at doorbell"} {
		kind, place, _ := strings.Cut(f, " at ")
		text += fmt.Sprintf("fault %q {\n  place = %q\n  nth = 3\n}\n", kind, place)
	}
	require.NoError(t, os.WriteFile(plan, []byte(text), 0o644))
	file := captured(t, "train", "--faults", plan)
	_, stdout, stderr := hotline("trace", file, "--list")
	require.Empty(t, stderr)
	for _, want := range []string{
		`down +injected: timeout at dma_rd, dropped\n.* CplD .*\[injected\] \[dropped\] \| data read`,
		`up +injected: drop at dma_wr, dropped\n.* MWr .*\[injected\] \[dropped\] \| data write`,
		`up +injected: poison at dma_wr, changed from MWr .*\n.* MWr .*\[EP\] \[injected\] \| data write`,
		`up +injected: ecrc at vector_wr, changed from MWr .*\n.* MWr .*\[injected\] \| data write`,
		`up +injected: duplicate at completion\n.* MWr .*\[injected\] \| completion entry.*\n.*up +injected: sent on purpose\n.* MWr .*\[injected\] \| completion entry\n`,
		`down +injected: sent on purpose\n.* CplD .* tag=3ff .*\| unexpected completion\n`,
		`down +injected: corrupt at command, changed from CplD .*\n.* CplD .*\[injected\] \| command fetch`,
		`down +injected: drop at doorbell, dropped\n.* MWr .*\[injected\] \[dropped\] \| (doorbell|register write cq_head)`,
		`down +injected: late at gpu_rd\n.*down +injected: the next TLP arrives 15ms too late\n.* CplD .*\[injected\] \| data read`,
	} {
		require.Regexp(t, want, stdout)
	}
	code, stdout, stderr := hotline("trace", file, "--replay", "--config", tiny, "--accelerator", "functional")
	require.Zero(t, code, stdout+stderr)

	for _, kind := range []string{"link_down", "flr"} { // these do not appear on the link
		require.NoError(t, os.WriteFile(plan, []byte("fault \""+kind+"\" {\n  place = \"dma_rd\"\n}\n"), 0o644))
		file = captured(t, "train", "--faults", plan)
		_, stdout, _ = hotline("trace", file, "--type", "comment")
		require.Regexp(t, `injected: `+kind+` at dma_rd\n`, stdout)
		code, stdout, _ = hotline("trace", file, "--replay", "--config", tiny, "--accelerator", "functional")
		require.Equal(t, 1, code, stdout)
	}
}
