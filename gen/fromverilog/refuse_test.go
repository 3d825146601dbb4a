package fromverilog_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/fromverilog"
	"github.com/hotline-rtl/hotline/gen/tools"
)

// imported imports module m with the given body in its second line.
func imported(t *testing.T, body string, note func(string)) error {
	t.Helper()
	t.Chdir(t.TempDir())
	text := "module m (input clk, input en, input d, output q);\n" + body + "\nendmodule\n"
	require.NoError(t, os.WriteFile(filepath.Clean("m.v"), []byte(text), 0o600))
	_, err := fromverilog.Import(context.Background(), fromverilog.Options{Top: "m", Files: []string{"m.v"}, Note: note})
	return err
}

func TestRefusals(t *testing.T) {
	tools.Need(t, "yosys")
	for name, c := range map[string]struct{ body, want string }{
		"latch":    {"reg r; always @* if (en) r = d; assign q = r;", "a latch; assign the signal on every path"},
		"tristate": {"assign q = en ? d : 1'bz;", "a tristate value; expected 0 or 1"},
		"falling":  {"reg r; always @(negedge clk) r <= d; assign q = r;", "clock clk is used at its falling edge"},
		"gated":    {"reg r; wire g = clk & en; always @(posedge g) r <= d; assign q = r;", "clock g is not an input of the module: it is gated, derived or constant"},
		"load":     {"reg r; always @(posedge clk or posedge en) if (en) r <= d; else r <= !r; assign q = r;", "an asynchronous load; an asynchronous reset needs a constant value"},
	} {
		t.Run(name, func(t *testing.T) {
			require.EqualError(t, imported(t, c.body, nil), "m.v:2: module m: "+c.want)
		})
	}
	const delay = "m.v:2: a delay; the IR has none: remove it, or replace it by a macro that is empty here"
	for _, body := range []string{"assign #3 q = d;", "reg r; always @(posedge clk) r <= #1 d; assign q = r;", "wire #(2) w = d; assign q = w;"} {
		require.EqualError(t, imported(t, body, nil), delay)
	}
	require.NoError(t, imported(t, "/* # 1 */ assign q = d;", nil), "no delay")
	err := imported(t, "reg r; always @(posedge clk) r <= d; assign q = r & clk;", nil)
	require.EqualError(t, err, "m.v:1: module m: clock clk is read as data")
}

// TestUnusedLatch: a variable that is not assigned on every path, and not read there, is no error.
func TestUnusedLatch(t *testing.T) {
	tools.Need(t, "yosys")
	const body = "reg t, r; wire seen = ^t; always @* begin r = 0; if (en) begin t = !d; r = t; end end assign q = r;"
	require.NoError(t, imported(t, body, nil))
	err := imported(t, strings.Replace(body, "assign q = r", "assign q = seen", 1), nil)
	require.EqualError(t, err, "m.v:2: module m: a latch; assign the signal on every path")
}

// TestUndriven: a net without a driver causes a remark.
func TestUndriven(t *testing.T) {
	tools.Need(t, "yosys")
	var notes []string
	require.NoError(t, imported(t, "wire u; assign q = u ^ d;", func(s string) { notes = append(notes, s) }))
	require.Equal(t, []string{"m.v:1: module m: net u has no driver and is 0"}, notes)
}

// TestTopIsAName: the name of the top module is not a command of Yosys.
func TestTopIsAName(t *testing.T) {
	_, err := fromverilog.Import(t.Context(), fromverilog.Options{Top: "x; shell", Files: []string{"testdata/fifo.v"}})
	require.EqualError(t, err, `fromverilog: top module "x; shell": expected letters, digits, _ and $`)
}
