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

// TestUnusedFaults: the report lists rules whose fault never occurred. If such a rule is required,
// the command fails after its report.
func TestUnusedFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "faults.hcl")
	for required, want := range map[bool]int{false: 0, true: exitFailed} {
		text := fmt.Sprintf("fault \"drop\" {\n  place = \"dma_wr\"\n  required = true\n}\nfault \"link_down\" {\n  place = \"dma_rd\"\n  after_ps = 1000000000000\n  required = %v\n}\n", required)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
		code, stdout, stderr := hotline("train", "--config", tiny, "--faults", file)
		require.Equal(t, want, code, stderr)
		require.Regexp(t, `(?m)^faults +link_down at dma_rd: never occurred$`, stdout)
		require.NotContains(t, stdout, "drop at dma_wr: never occurred")
		require.Equal(t, required, strings.Contains(stderr, "the fault link_down at dma_rd is required, but never occurred"), stderr)
		_, stdout, _ = hotline("train", "--config", tiny, "--faults", file, "--json")
		require.Contains(t, stdout, fmt.Sprintf(`"faults_unused":[{"kind":"link_down","place":"dma_rd","required":%v}]`, required))
	}
}

// TestRunWithFaults: a program meets the faults of a plan, with the same results as without. A
// command without an outcome ends the run.
func TestRunWithFaults(t *testing.T) {
	const program = "../../../examples/programs/v_add.s"
	file := filepath.Join(t.TempDir(), "faults.hcl")
	run := func(plan string, args ...string) (int, string, string) {
		require.NoError(t, os.WriteFile(file, []byte(plan), 0o644))
		return hotline(append([]string{"run", program, "--faults", file}, args...)...)
	}
	lost := "fault \"drop\" {\n  place = \"completion\"\n}\nfault \"timeout\" {\n  place = \"gpu_rd\"\n}\n"
	code, stdout, stderr := run(lost)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "\nexpectations: 2 of 2 met\nfault: 1 drop at completion: completion given up, command repeated\nfault: timeout at gpu_rd never occurred\n")
	_, stdout, _ = run(lost, "--json")
	require.Contains(t, stdout, `"outcome":"completion given up, command repeated"}],"faults_unused":[{"kind":"timeout","place":"gpu_rd","required":false}]}`)

	code, _, stderr = run("fault \"timeout\" {\n  place = \"gpu_rd\"\n  required = true\n}\n")
	require.Equal(t, exitFailed, code)
	require.Contains(t, stderr, "the fault timeout at gpu_rd is required, but never occurred")
	code, _, stderr = run("fault \"link_down\" {\n  place = \"dma_wr\"\n}\n")
	require.Equal(t, exitOther, code, stderr)
	require.Regexp(t, `v_add.s: line 17: driver: the device was reset: .*\n +faults before that:\n +1 link_down at dma_wr: bus reset`, stderr)
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
