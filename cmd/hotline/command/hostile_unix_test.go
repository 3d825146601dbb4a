//go:build unix

package command

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHostileHCL: every HCL file that a user can name is rejected if it would overflow the stack,
// run for hours or exhaust the memory.
func TestHostileHCL(t *testing.T) {
	ten := "[0,1,2,3,4,5,6,7,8,9]"
	loops := strings.Repeat("[for x in "+ten+" : ", 8) + "x" + strings.Repeat("]", 8)
	shapes := map[string]struct{ text, want string }{
		"deep.hcl":   {"clock_mhz = " + strings.Repeat("(", 200_000) + "350" + strings.Repeat(")", 200_000) + "\n", "deep.hcl:1: the nesting is deeper than 200"},
		"long.hcl":   {"clock_mhz = 1" + strings.Repeat("+1", 400_000) + "\n", "long.hcl:1: the nesting is deeper than 200"},
		"wide.hcl":   {strings.Repeat("a = 1\n", 100_000), "wide.hcl:10001: there are more than 10,000 attributes and blocks"},
		"large.hcl":  {strings.Repeat("# no\n", 250_000), "large.hcl: the file is larger than 1.0 MB"},
		"utf16.hcl":  {"\xff\xfe" + strings.ReplaceAll(strings.Repeat("clock_mhz = 350\n", 1000), "", "\x00")[1:], "utf16.hcl: the text is UTF-16; expected UTF-8\n"},
		"random.hcl": {strings.Repeat("\x81\xfeq@ \x07=\n", 5000), "more\n"},
	}
	files := map[string]string{
		"loops.hcl":      fmt.Sprintf("clock_mhz = %[1]s\nseed = %[1]s\ngpus = %[1]s\n", loops), // for each kind of file
		"loop-plots.hcl": "run \"train\" {}\naxis \"n\" {\n  values = [1]\n}\nplots = " + loops + "\n",
	}
	for name, s := range shapes {
		files[name] = s.text
	}
	folder(t, files)
	lines := []string{
		"cosim --config", "train --config", "run x.s --config", "gen --out x --config", "verify --config", "synth --fpga ecp5 --config",
		"serve --socket x --config", "cosim --machine", "cosim --profile", "train --machine", "reproduce --machine", "cosim --faults", "sweep",
	}
	require.NoError(t, os.WriteFile("x.s", []byte("fence\n"), 0o600))
	for i, line := range lines {
		for name, s := range shapes {
			if i > 0 && name != "long.hcl" && name != "utf16.hcl" {
				continue // all verbs share the loader
			}
			code, stdout, stderr := hotline(append(strings.Fields(line), name)...)
			require.Equal(t, exitUsage, code, "%s %s\n%s", line, name, stderr)
			require.Contains(t, stderr, s.want, "%s %s", line, name)
			require.Less(t, len(stderr), 4000)
			require.LessOrEqual(t, strings.Count(stderr, "\n"), 11)
			require.Empty(t, stdout)
		}
		for _, name := range []string{"/dev/zero", "/dev/full", "."} {
			if strings.Contains(line, "--machine") || strings.Contains(line, "--profile") {
				continue // these take names, and files that end with .hcl
			}
			code, _, stderr := hotline(append(strings.Fields(line), name)...)
			require.Equal(t, exitUsage, code, line)
			require.Contains(t, stderr, "expected a file", "%s %s", line, name)
		}
	}
	for _, line := range []string{"cosim --config loops.hcl", "cosim --machine loops.hcl", "cosim --faults loops.hcl", "sweep loop-plots.hcl"} {
		code, _, stderr := hotline(strings.Fields(line)...)
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, "This 'for' expression is too large: it produces more than 1,000,000 values and characters", line)
	}
}

// TestHostileSweep: expressions in a sweep, and in the files that it changes, are limited.
func TestHostileSweep(t *testing.T) {
	config := contents(t, tiny)
	hundred := "[" + strings.Repeat("0, ", 99) + "0]"
	loop := "{for x in [1] : \"C3\" => " + strings.Repeat("[for y in "+hundred+" : ", 4) + "0]]]]}"
	folder(t, map[string]string{
		"tiny.hcl": config,
		"loop.hcl": strings.Replace(config, "rows         = {", "rows = "+loop+"\n}\nold {\n x = {", 1),
	})
	for text, want := range map[string]string{
		`values = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : c]]]`: "This 'for' expression is too large",
		`values = ["` + strings.Repeat("x", 5000) + `"]`:                                        `the value xxxxx`,
		`values = [format("%99999999d", 1)]`:                                                    `is too wide; expected a width and a precision of at most 999`,
		`values = [format("%.99999999f", 1)]`:                                                   `is too wide`,
		`values = ["a", "` + strings.Repeat("long ", 100_000) + `"]`:                            `… (500,000 characters) is longer than 1,000 characters`,
		`values = "` + strings.Repeat("long ", 100_000) + `"`:                                   `… (500,000 characters); expected a list of at least one`,
	} {
		require.NoError(t, os.WriteFile("s.hcl", []byte("run \"train\" {\n  config = \"tiny.hcl\"\n  arguments = [\"--seed\", n]\n}\naxis \"n\" {\n  "+text+"\n}\n"), 0o600))
		code, _, stderr := hotline("sweep", "s.hcl")
		require.Equal(t, exitUsage, code)
		require.Contains(t, stderr, want, text[:min(len(text), 100)])
		require.Less(t, len(stderr), 1000)
	}
	for _, s := range []struct{ run, want string }{
		{`config = "tiny.hcl"` + "\n  arguments = [\"--seed\", \"" + strings.Repeat("${n}", 120_000) + "\"]", "the arguments are longer than 100,000 characters"},
		{`config = "tiny.hcl"` + "\n  arguments = [for a in range(1000) : [for b in range(1000) : [for c in range(1000) : n]]]", "This 'for' expression is too large"},
		{`config = "loop.hcl"`, "This 'for' expression is too large"},
	} {
		require.NoError(t, os.WriteFile("s.hcl", []byte("run \"train\" {\n  "+s.run+"\n}\naxis \"n\" {\n  attribute = \"data.rows.C3\"\n  values = [300]\n}\n"), 0o600))
		code, _, stderr := hotline("sweep", "s.hcl")
		require.Equal(t, exitUsage, code, stderr)
		require.Contains(t, stderr, s.want)
	}
}

// TestDevices: no verb reads a device.
func TestDevices(t *testing.T) {
	folder(t, nil)
	for _, line := range []string{
		"run %s", "asm %s", "disasm %s", "cover %s", "trace %s", "synth --liberty %s", "cosim --data criteo:%s --index hash:10", "cosim --data avazu:%s",
		"cosim --data taobao:%s", "data profile --data criteo:%s", "cosim --config %s", "cosim --faults %s", "sweep %s",
	} {
		for _, name := range []string{"/dev/zero", "/dev/full", "/dev/null"} {
			code, _, stderr := hotline(strings.Fields(fmt.Sprintf(line, name))...)
			require.Equal(t, exitUsage, code, line)
			require.Equal(t, "hotline: "+name+" is a device; expected a file or a pipe\n", stderr, line)
		}
	}
}

// TestFloods: at most ten errors are printed, and names and values in them are truncated.
func TestFloods(t *testing.T) {
	config := contents(t, tiny)
	var undefined, faults strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&undefined, "dma_rd name%d, 64\n", i)
	}
	for range 2000 {
		faults.WriteString("fault \"ur\" {\n  place = \"interrupt\"\n}\n")
	}
	long := strings.Repeat("n", 1_000_000)
	folder(t, map[string]string{
		"undefined.s":   undefined.String(),
		"identifier.s":  "dma_rd " + long + ", 64\n",
		"command.s":     long + "\n",
		"utf16.s":       "\xff\xfe" + strings.ReplaceAll("fence\n", "", "\x00")[1:],
		"mark.s":        "\ufefffence\n",
		"noise.s":       strings.Repeat("\x81\xfe\x07\n", 30_000),
		"string.s":      ".const a, " + strings.Repeat("\x01", 100_000) + "\n",
		"faults.hcl":    faults.String(),
		"name.hcl":      strings.Replace(config, "banks ", strings.Repeat("n", 500_000)+" = 4\n  banks ", 1),
		"machine.hcl":   strings.Replace(config, "training {", "training {\n  machine = \""+strings.Repeat("m", 500_000)+"\"", 1),
		"value.hcl":     strings.Replace(config, "clock_mhz", "clock_mhz = 1e400 #", 1),
		"many.hcl":      strings.Replace(config, "accelerator {", "accelerator {\n"+manyAttributes(5000), 1),
		"sweep.hcl":     "run \"train\" {\n  config = \"many.hcl\"\n}\naxis \"banks\" {\n  attribute = \"accelerator.banks\"\n  values    = [4, 8]\n}\n",
		"conflicts.hcl": "run \"train\" {\n  config = \"tiny.hcl\"\n}\naxis \"banks\" {\n  attribute = \"accelerator.banks\"\n  values    = range(1000, 1100)\n}\n",
		"tiny.hcl":      config,
	})
	for line, want := range map[string]string{
		"run undefined.s":              "undefined.s:10: address: there is no constant or label \"name9\": dma_rd address, bytes\n  and 19,990 more\n",
		"asm undefined.s":              "\n  and 19,990 more\n",
		"run identifier.s":             `"` + long[:80] + `…" (1,000,000 characters): dma_rd`,
		"run command.s":                `"` + long[:80] + `…" (1,000,000 characters), expected`,
		"run utf16.s":                  "hotline: utf16.s: the text is UTF-16; expected UTF-8\n",
		"run noise.s":                  "\n  and 29,990 more\n",
		"run string.s":                 `" (400,000 characters), expected a number or a name`,
		"cosim --faults faults.hcl":    "\n  and 1,990 more\n",
		"cosim --config name.hcl":      `"` + long[:80] + `…" (500,000 characters) is not expected here.`,
		"cosim --config machine.hcl":   `there is no machine "mmmm`,
		"cosim --config value.hcl":     "the number 1e400 is out of range; expected at most 400 digits and exponents from -308 to 308\n",
		"cosim --config many.hcl":      "\n  and 4,990 more\n",
		"sweep sweep.hcl":              "more\n",
		"sweep conflicts.hcl":          "\n  and ",
		"cosim --" + long[:1000]:       "unknown flag: --nnn",
		"cosim --batches " + long:      `" (1,000,000 characters) for "--batches" flag: expected a whole number`,
		long:                           `" (1,000,000 characters) is not a command`,
		"train --system " + long:       `"` + long[:80] + `…" (1,000,000 characters); expected`,
		"cosim --data " + long:         `" (1,000,000 characters); expected`,
		"reproduce " + long:            `" (1,000,000 characters); expected`,
		"cosim --config " + long[:300]: "file name too long",
	} {
		code, stdout, stderr := hotline(strings.Fields(line)...)
		require.Equal(t, exitUsage, code, line[:min(100, len(line))])
		require.Contains(t, stderr, want, line[:min(100, len(line))])
		require.LessOrEqual(t, strings.Count(stderr, "\n"), 11, stderr)
		require.Less(t, len(stderr), 9000)
		require.Empty(t, stdout)
	}
	code, _, stderr := hotline("run", "mark.s")
	require.Zero(t, code, stderr)
}

func manyAttributes(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "  unknown%d = 1\n", i)
	}
	return b.String()
}
