// Package docs_test executes the examples in the documents.
package docs_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/buildcache"
	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// simulation is the page on engines, models and generated files.
const simulation = "reference/simulation.md"

// section returns the text below a heading of the page on simulation.
func section(t *testing.T, heading string) string {
	_, rest, ok := strings.Cut(read(t, simulation), "\n## "+heading+"\n")
	require.True(t, ok, heading)
	text, _, _ := strings.Cut(rest, "\n## ")
	return text
}

// block returns the first Go block of a section of the page on simulation.
func block(t *testing.T, heading string) string {
	_, rest, ok := strings.Cut(section(t, heading), "```go\n")
	require.True(t, ok, heading)
	text, _, ok := strings.Cut(rest, "```")
	require.True(t, ok, heading)
	return text
}

// module creates a user's module: a folder with the given files and a go.mod. The go command has
// no network access there.
func module(t *testing.T, files map[string]string) string {
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	for name, value := range map[string]string{"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOWORK": "off"} {
		t.Setenv(name, value)
	}
	dir := t.TempDir()
	files["go.mod"] = "module example.com/mine\n\ngo 1.25.0\n\n" +
		"require github.com/hotline-rtl/hotline v0.0.0\n\nreplace github.com/hotline-rtl/hotline => " + root + "\n"
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return dir
}

// golang runs the go command in a folder and returns its output.
func golang(t *testing.T, dir string, args ...string) (out string, ok bool) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	text, err := cmd.CombinedOutput()
	return string(text), err == nil
}

// counter returns the file of the counter, with a command to generate its model.
func counter(t *testing.T) string {
	return strings.Replace(example(t, "module"), "\n// Counter", "\n//go:generate go run ./gen\n\n// Counter", 1)
}

func TestModelInAModuleOfOnesOwn(t *testing.T) {
	files := map[string]string{"counter/counter.go": counter(t)}
	named := regexp.MustCompile("(?s)`(counter/[a-z_/]+\\.go)`:\n\n```go\n(.*?)```")
	for _, m := range named.FindAllStringSubmatch(section(t, "A compiled model in your own module"), -1) {
		files[m[1]] = m[2]
	}
	require.Len(t, files, 3)
	dir := module(t, files)
	out, ok := golang(t, dir, "generate", "./...")
	require.True(t, ok, out)
	write := func(text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "counter/counter.go"), []byte(text), 0o600))
	}
	write("// A comment.\n\n" + files["counter/counter.go"])
	out, ok = golang(t, dir, "test", "./counter")
	require.True(t, ok, out)
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	require.NoError(t, err)
	require.Equal(t, files["go.mod"], string(text), "a user's module needs this one and nothing else")

	write(strings.Replace(files["counter/counter.go"], "n.Inc()", "n.Dec()", 1))
	out, ok = golang(t, dir, "test", "./counter")
	require.False(t, ok)
	require.Contains(t, out, "the model is stale: run go generate")
}

// TestPiecesOfSimulation runs the other code blocks of the page in a program around them.
func TestPiecesOfSimulation(t *testing.T) {
	dir := module(t, map[string]string{
		"counter/counter.go": counter(t), "counters/counters.go": example(t, "instances"),
		"main.go": `package main

import (
	"fmt"

	. "example.com/mine/counter"
	"example.com/mine/counters"
	"github.com/hotline-rtl/hotline/gen"
	"github.com/hotline-rtl/hotline/gen/verilog"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func main() {
	` + block(t, "Simulate") + block(t, "Generate") + `
	array, arrayErr := hw.Elaborate(counters.Array{})
	fmt.Println(err, arrayErr, len(files), files[0].Name)
	fmt.Println(verilog.Generate(array))
}
`,
	})
	out, ok := golang(t, dir, "run", ".")
	require.True(t, ok, out)
	require.True(t, strings.HasPrefix(out, "5\n<nil> <nil> 1 counter.v\n[{counter.v "), out)
	require.Equal(t, 1, strings.Count(out, "generate\n    for ("), "one loop")
	require.Equal(t, 2, strings.Count(out, "endmodule"), "equal parameters give one module")
	for _, name := range []string{"counter.v", "counter.f", "manifest.json"} {
		require.FileExists(t, filepath.Join(dir, "build", name))
	}
}

// TestNumbersOfSimulation: numbers on the page equal the constants in the code.
func TestNumbersOfSimulation(t *testing.T) {
	text := unwrapped(read(t, simulation))
	require.Contains(t, text, fmt.Sprintf("up to %d MB; the least recently used programs are removed first", buildcache.Limit/1_000_000))
	require.Contains(t, text, fmt.Sprintf("runs 2 to %d instances of a design", gosim.MaxCopies))
	for n, ok := range map[int]bool{1: false, 2: true, gosim.MaxCopies: true, gosim.MaxCopies + 1: false} {
		require.Equal(t, ok, gosim.CheckCopies(n) == nil, "%d copies", n)
	}
}

// TestMistakeOfModules: the page on modules shows the message that Elaborate reports.
func TestMistakeOfModules(t *testing.T) {
	wrong := strings.Replace(counter(t), "n.Inc()", "n.Ext(9)", 1)
	dir := module(t, map[string]string{
		"counter/counter.go": wrong,
		"main.go": `package main

import (
	"fmt"

	. "example.com/mine/counter"
	"github.com/hotline-rtl/hotline/hw"
)

func main() {
	_, err := hw.Elaborate(Counter{Width: 8})
	fmt.Print(err)
}
`,
	})
	out, ok := golang(t, dir, "run", ".")
	require.True(t, ok, out)
	lines := regexp.MustCompile(`[\w./]*\w+\.go:\d+`)
	require.Regexp(t, `^counter/counter.go:\d+ < counter/counter.go:\d+: `, out)
	require.Contains(t, lines.ReplaceAllString(read(t, "reference/language/module.md"), "LINE"), "\n"+lines.ReplaceAllString(out, "LINE")+"\n")
}

// TestRegisters runs the registers of their page: a limit, a flag that a written 1 clears, and
// a count of two words.
func TestRegisters(t *testing.T) {
	dir := module(t, map[string]string{"meter/meter.go": example(t, "registers"), "meter/meter_test.go": `package meter

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func TestMeter(t *testing.T) {
	d, err := hw.Elaborate(Meter{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := interp.New(d)
	if err != nil {
		t.Fatal(err)
	}
	s.SetReset(true)
	s.Step()
	s.SetReset(false)
	tb := sim.Bind[Ports](s, Meter{})
	read := func(addr, want, resp uint64) {
		t.Helper()
		tb.Bus.AR.Valid.Poke(1)
		tb.Bus.AR.Data.Addr.Poke(addr)
		tb.Bus.R.Ready.Poke(1)
		s.Step()
		tb.Bus.AR.Valid.Poke(0)
		for range 3 {
			if tb.Bus.R.Valid.Peek() == 1 {
				break
			}
			s.Step()
		}
		if got := tb.Bus.R.Data.Data.Peek(); got != want || uint64(tb.Bus.R.Data.Resp.Peek()) != resp {
			t.Error(addr, got, want)
		}
		s.Step()
	}
	write := func(addr, data uint64) {
		tb.Bus.AW.Valid.Poke(1)
		tb.Bus.AW.Data.Addr.Poke(addr)
		tb.Bus.W.Valid.Poke(1)
		tb.Bus.W.Data.Data.Poke(data)
		tb.Bus.W.Data.Strb.Poke(1)
		tb.Bus.B.Ready.Poke(1)
		s.Step()
		tb.Bus.AW.Valid.Poke(0)
		tb.Bus.W.Valid.Poke(0)
		s.Step()
		s.Step()
	}
	read(0, 100, 0)
	write(0, 0xff03)
	read(0, 3, 0)
	tb.Event.Poke(1)
	for range 5 {
		s.Step()
	}
	read(4, 3, 0)
	tb.Event.Poke(0)
	write(4, 2)
	read(4, 0, 0)
	read(12, 0, 0)
	read(16, 0, 2)
	file := Map.NewFile()
	if v, ok := file.Read(0); v != 100 || !ok || len(Map.Header())*len(Map.Go("meter", "Reg"))*len(Map.SystemRDL())*len(Map.Markdown()) == 0 {
		t.Error(v)
	}
}
`})
	out, ok := golang(t, dir, "test", "./...")
	require.True(t, ok, out)
	for a := regmap.ReadWrite; a <= regmap.Pulse; a++ {
		require.Contains(t, read(t, "reference/language/registers.md"), "`"+a.String()+"`")
	}
}
