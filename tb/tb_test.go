package tb

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const passed = `^PASS: \d+ commands, \d+ checks, \d+ cycles$`

// room is a directory with the benches of tb and the Verilog of verilog/small, in which the
// commands of hotline_tb.v run.
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

// mutate replaces the only occurrence of a text in the file of a module.
func (r room) mutate(module, old, with string) {
	files, err := filepath.Glob(filepath.Join(r.dir, "verilog/small", module+".v"))
	require.NoError(r, err)
	require.Len(r, files, 1, module)
	text, err := os.ReadFile(files[0])
	require.NoError(r, err)
	require.Equal(r, 1, strings.Count(string(text), old), "%s in %s", old, module)
	require.NoError(r, os.WriteFile(files[0], []byte(strings.Replace(string(text), old, with, 1)), 0o644))
}

// command returns the command for a tool from the first comment of hotline_tb.v.
func command(t *testing.T, tool string) string {
	text, err := os.ReadFile("hotline_tb.v")
	require.NoError(t, err)
	m := regexp.MustCompile(`(?m)^//   \$ (` + tool + ` .*)$`).FindStringSubmatch(string(text))
	require.NotNil(t, m, tool)
	return m[1]
}

// run runs a shell command in verilog/small and returns its output.
func (r room) run(line string) (string, error) {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = filepath.Join(r.dir, "verilog/small")
	// Verilator builds without optimization, because the build takes longer than the run.
	cmd.Env = append(os.Environ(), "MAKEFLAGS=OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestBench runs the bench with the commands of its first comment, in short and in full. Both
// simulators must produce the same results, without warnings.
func TestBench(t *testing.T) {
	tools.Need(t, "iverilog", "verilator")
	r := newRoom(t)
	page, err := os.ReadFile("../docs/evidence/verification.md")
	require.NoError(t, err)
	require.Contains(t, string(page), "\n"+command(t, "iverilog")+"\n"+command(t, "verilator")+"\n")
	runs := []string{"", " +short"}
	var results []string
	for i, run := range runs {
		build, bench, _ := strings.Cut(command(t, "iverilog"), " && ")
		if i == 0 {
			out, err := r.run(build)
			require.NoError(t, err, out)
		}
		out, err := r.run(bench + run + " +vcd")
		require.NoError(t, err, out)
		first, last, _ := strings.Cut(strings.TrimSpace(out), "\n")
		require.Equal(t, "VCD info: dumpfile hotline_tb.vcd opened for output.", first)
		require.Regexp(t, passed, last)
		require.FileExists(t, filepath.Join(r.dir, "verilog/small/hotline_tb.vcd"))
		require.Contains(t, string(page), "\n"+last+"\n")
		results = append(results, last)
	}
	full, short := cycles(t, results[0]), cycles(t, results[1])
	require.Less(t, 2*short, full, "cycles of a short run")

	build, bench, _ := strings.Cut(command(t, "verilator"), " && ")
	out, err := r.run(build)
	require.NoError(t, err, out)
	require.NotContains(t, out, "%Warning")
	for i, run := range runs {
		out, err := r.run(bench + run)
		require.NoError(t, err, out)
		require.Contains(t, "\n"+out, "\n"+results[i]+"\n")
	}
}

// cycles returns the number of cycles of a run that has passed.
func cycles(t *testing.T, result string) int {
	n, err := strconv.Atoi(regexp.MustCompile(`, (\d+) cycles$`).FindStringSubmatch(result)[1])
	require.NoError(t, err)
	return n
}

// TestSeededFaults inserts faults into the Verilog, one at a time. Both runs of the bench must
// detect each fault, and report it by the expected message.
func TestSeededFaults(t *testing.T) {
	tools.Need(t, "iverilog")
	faults := []struct{ name, module, old, with, want string }{
		{"ready bit that is not reset", "eal_controller",
			"cleared <= 1'b0;\n    end else if (!cleared)", "end else if (!cleared)",
			`s_axil_r: unknown payload 00000000X`},
		{"requests of reads that are not reset", "stage_read_desc",
			"valid <= 1'b0;\n    end else", "end else",
			`m_axis_read_desc: valid x, ready 0`},
		{"interrupt that is not reset", "interrupt_line",
			"owed <= 1'b0;\n    end else if (left)", "end else if (left)",
			`irq_req x`},
		{"interrupt that an acknowledge without a request takes", "interrupt_line",
			"if (req && ack)", "if (ack)",
			`nothing completes`},
		{"level that forgets completions", "completer",
			"backlog <= backlog_difference[15] && !taken", "backlog <= backlog_difference[15] && taken",
			`level with`},
		{"payload that changes before it is taken", "stage_write_desc",
			"if (push_valid && push_ready) begin", "if (push_valid) begin",
			`m_axis_write_desc: payload \w+ became \w+ before ready`},
		{"interrupt without the right to send", "hotline",
			"allowed <= cfg_bus_master_enable && link_up;", "allowed <= link_up;",
			`irq_req 1 on a closed bus`},
		{"wrong phase", "completer",
			"(posted & size) == 16'd0", "(posted & size) != 16'd0",
			`status and phase: 00000000, expected 00010000, with 0 commands completed`},
		{"lost completion", "completer",
			"if (posted - head < size) state <= STATE_ANNOUNCE;",
			"if (posted - head < size) state <= (posted == 16'd9) ? STATE_FLUSH : STATE_ANNOUNCE;",
			`nothing completes, with 9 commands completed`},
		{"full ring that is overrun", "completer",
			"posted - head < size", "posted - head <= size",
			`register 054: `},
		{"commands in the wrong order", "command_fetch",
			"wire [1:0] entry = taken[1:0];", "wire [1:0] entry = taken[1:0] ^ {1'b0, taken[15:1] == 15'd10};",
			`command id: c0de0015, expected c0de0014`},
		{"write with some byte strobes", "control_registers",
			"wire csr_write_whole = &csr_write_strb;", "wire csr_write_whole = |csr_write_strb;",
			`answer to a write: 00000000, expected 00000038`},
		{"wrong permutation", "randomizer",
			"KEY3 = 11'h735;", "KEY3 = 11'h734;",
			`row of the hot set: `},
		{"popular input with a miss", "input_classifier",
			"~(judged_missed | {3'd0, missed})", "~judged_missed",
			`value 0: 00000003, expected 00000002`},
		{"sum of what was written without carries", "write_sum",
			"total + crc_sum", "total ^ crc_sum",
			`sum of what was written: `},
		{"ties that are rounded up", "fp32_add",
			"|s4_sig[1:0] || s4_sig[3]", "1'b1",
			`word in memory: `},
		{"wrong sum: a hot row that begins it again", "emitter",
			"op_load   = at_hand_first", "op_load   = at_hand_first || at_hand_hit",
			`word in memory: `},
		{"GPUs that do not take turns", "emitter",
			"if (at_hand_hit) hot_gpu <=", "if (at_hand_last) hot_gpu <=",
			`reads of GPU 0: `},
		{"wrong status", "isa",
			"outcome_status <= STATUS_BAD_CRC", "outcome_status <= STATUS_FETCH",
			`status and phase: 00000023, expected 00000021`},
		{"error of a write that is not told", "dma_write",
			"status_error <= s_axis_write_desc_status_error", "status_error <= 4'd0",
			`status and phase: 000.0000, expected 000.000b`},
		{"reset that does not wait", "soft_reset",
			"(holding && !pending) || flr", "holding || flr",
			`(m_axis_(read_desc|write_desc|write_data): valid fell before ready|descriptors after a reset)`},
	}
	page, err := os.ReadFile("../docs/evidence/verification.md")
	require.NoError(t, err)
	require.Contains(t, string(page), fmt.Sprintf("puts %d faults into the Verilog", len(faults)))
	for _, c := range faults {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRoom(t)
			r.mutate(c.module, c.old, c.with)
			build, bench, _ := strings.Cut(command(t, "iverilog"), " && ")
			out, err := r.run(build)
			require.NoError(t, err, "%s", out)
			for _, run := range []string{" +short", ""} {
				out, err := r.run(bench + run)
				require.Error(t, err, "%s%s", out, run)
				require.Regexp(t, `(?m)^FATAL: .*: FAIL: `+c.want, out, run)
			}
		})
	}
}

// TestCocotb runs the bench in Python with scripts/cocotb, first on the Verilog, then with faults.
func TestCocotb(t *testing.T) {
	tools.Need(t, "iverilog", "python3")
	script, err := filepath.Abs("../scripts/cocotb")
	require.NoError(t, err)
	out, err := newRoom(t).run(script + " .")
	require.NoError(t, err, out)
	require.Regexp(t, `\d+ commands, statuses 0 .*\n`, out)
	for _, c := range []struct{ module, old, with, want string }{
		{"input_classifier", "~(judged_missed | {3'd0, missed})", "~judged_missed", `AssertionError: classify: values`},
		{"fp32_add", "|s4_sig[1:0] || s4_sig[3]", "1'b1", `AssertionError: (dma_wr: sum|gather: sum|word at)`},
		{"write_sum", "total + crc_sum", "total ^ crc_sum", `AssertionError: classify: sum`},
		{"interrupt_line", "if (req && ack)", "if (ack)", `SimTimeoutError`},
	} {
		r := newRoom(t)
		r.mutate(c.module, c.old, c.with)
		out, err := r.run(script + " .")
		require.Error(t, err, out)
		require.Regexp(t, c.want, out)
	}
}

// TestNumbers checks that the numbers in hotline_tb.v match the hardware.
func TestNumbers(t *testing.T) {
	text, err := os.ReadFile("hotline_tb.v")
	require.NoError(t, err)
	want := map[string]uint64{"IDENTITY": arch.ID, "VERSION": arch.Version}
	for _, r := range arch.CSRMap.Registers {
		want["CSR_"+strings.ToUpper(r.Name)] = uint64(r.Offset)
	}
	for _, o := range arch.Opcodes {
		want["OP_"+strings.ToUpper(o.Name)] = uint64(o.Number)
	}
	for _, r := range arch.Registers {
		want["REG_"+strings.ToUpper(r.Name)] = uint64(r.First)
	}
	for name, s := range map[string]arch.Status{
		"OK": arch.StatusOK, "POISONED": arch.Status(arch.ErrPoisoned), "SHORT": arch.Status(arch.ErrShort), "OPCODE": arch.StatusOpcode,
		"BAD_CRC": arch.StatusCRC, "RANGE": arch.StatusRange, "FETCH": arch.StatusFetch, "NO_ROW": arch.StatusNoRow,
		"ROWS_AHEAD": arch.StatusRowsAhead, "NO_VECTOR": arch.StatusNoVector, "NO_INPUTS": arch.StatusNoInputs,
	} {
		want[name] = uint64(s)
	}
	seen := 0
	for _, m := range regexp.MustCompile(`\b([A-Z]\w*) = \d+'([dh])([0-9a-f]+)`).FindAllStringSubmatch(string(text), -1) {
		if n, ok := want[m[1]]; ok {
			got, err := strconv.ParseUint(m[3], map[string]int{"d": 10, "h": 16}[m[2]], 64)
			require.NoError(t, err)
			require.Equal(t, n, got, m[1])
			seen++
		} else {
			require.NotRegexp(t, `^(CSR|OP|REG)_`, m[1])
		}
	}
	require.GreaterOrEqual(t, seen, 2+len(arch.Opcodes)+len(arch.Registers))
}
