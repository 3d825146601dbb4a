package tb

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// bench is hotline_tb.v around a design, built in a directory of its own.
type bench struct {
	*testing.T
	dir string
}

func build(t *testing.T, d *ir.Design) bench {
	text, err := filepath.Abs("hotline_tb.v")
	require.NoError(t, err)
	b := bench{t, t.TempDir()}
	require.NoError(t, gen.Write(b.dir, d, gen.Options{List: "hotline.f"}))
	require.Empty(t, b.run("iverilog", "-g2005", "-o", "tb", text, "-f", "hotline.f"))
	return b
}

func (b bench) run(name string, args ...string) string {
	cmd := exec.Command(name, args...)
	cmd.Dir = b.dir
	out, err := cmd.CombinedOutput()
	require.NoError(b, err, "%s", out)
	return string(out)
}

func small(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	return d
}

// TestBenchInIcarus runs the bench as its first comment says.
func TestBenchInIcarus(t *testing.T) {
	b := build(t, small(t))
	require.Regexp(t, `^PASS: identity 484f544c, ready after \d+ reads\n`, b.run("vvp", "tb"))
	b.run("vvp", "tb", "+vcd")
	_, err := os.Stat(filepath.Join(b.dir, "hotline_tb.vcd"))
	require.NoError(t, err)
}

// TestMissingReset removes the reset behind the ready bit, and one on the way of
// every read: the bench must not take X for 1.
func TestMissingReset(t *testing.T) {
	for _, c := range []struct{ module, register, want string }{
		{"eal_controller_e8_s6_w32", "cleared", `^FAIL: status 0000000X, not ready after 101 reads\n`},
		{"skid_w12", "valid", `^FAIL: no answer\n`},
	} {
		d := small(t)
		removed := 0
		for _, m := range d.Modules {
			m.Body.Walk(func(s *ir.Scope) {
				for _, g := range s.Signals {
					if m.Name == c.module && g.Name == c.register {
						g.HasReset = false
						removed++
					}
				}
			})
		}
		require.Equal(t, 1, removed, c.register)
		require.Regexp(t, c.want, build(t, d).run("vvp", "tb"))
	}
}
