package tb

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const passed = `^PASS: \d+ commands, \d+ checks, \d+ cycles$`

// room is a directory with the benches in tb and the Verilog of the small
// configuration in verilog/small, where the commands of hotline_tb.v run.
type room struct {
	*testing.T
	dir string
}

func newRoom(t *testing.T) room {
	r := room{t, t.TempDir()}
	for _, at := range []string{"tb/*.v", "verilog/small/*"} {
		files, err := filepath.Glob("../" + at)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(r.dir, filepath.Dir(at)), 0o755))
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(r.dir, filepath.Dir(at), filepath.Base(f)), text, 0o644))
		}
	}
	return r
}

// mutate replaces the only occurrence of a text in the file of a module, whose
// sizes are not part of the name here.
func (r room) mutate(module, old, with string) {
	files, err := filepath.Glob(filepath.Join(r.dir, "verilog/small", module+"*.v"))
	require.NoError(r, err)
	require.Len(r, files, 1, module)
	text, err := os.ReadFile(files[0])
	require.NoError(r, err)
	require.Equal(r, 1, strings.Count(string(text), old), "%s in %s", old, module)
	require.NoError(r, os.WriteFile(files[0], []byte(strings.Replace(string(text), old, with, 1)), 0o644))
}

// command is the line of the first comment of hotline_tb.v that begins so.
func command(t *testing.T, tool string) string {
	text, err := os.ReadFile("hotline_tb.v")
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^//   \$ (` + tool + ` .*)$`).FindStringSubmatch(string(text))
	require.NotNil(t, m, tool)
	return m[1]
}

// run gives the output of a shell command in verilog/small.
func (r room) run(line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = filepath.Join(r.dir, "verilog/small")
	cmd.Env = append(os.Environ(), "MAKEFLAGS=OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestBench runs the bench as its first comment says, with waveforms: the run is the
// same in both simulators, and neither warns.
func TestBench(t *testing.T) {
	r := newRoom(t)
	icarus, err := r.run(command(t, "iverilog") + " +vcd")
	require.NoError(t, err, icarus)
	first, last, _ := strings.Cut(strings.TrimSpace(icarus), "\n")
	require.Equal(t, "VCD info: dumpfile hotline_tb.vcd opened for output.", first)
	require.Regexp(t, passed, last)
	waves := filepath.Join(r.dir, "verilog/small/hotline_tb.vcd")
	require.FileExists(t, waves)
	require.NoError(t, os.Remove(waves))

	verilator, err := r.run(command(t, "verilator") + " +vcd")
	require.NoError(t, err, verilator)
	require.NotContains(t, verilator, "%Warning")
	require.Contains(t, verilator, "\n"+last+"\n")
	require.FileExists(t, waves)
}

// TestSeededFaults puts faults into the Verilog, one after the other: the bench must
// find each, and tell so by its status.
func TestSeededFaults(t *testing.T) {
	for _, c := range []struct{ name, module, old, with, want string }{
		// Missing resets.
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRoom(t)
			r.mutate(c.module, c.old, c.with)
			out, err := r.run(command(t, "iverilog"))
			require.Error(t, err, "%s", out)
			require.Regexp(t, `(?m)^FATAL: .*: FAIL: `+c.want, out)
		})
	}
}
