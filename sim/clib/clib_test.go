package clib_test

import (
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/models/small"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/clib"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func design(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(top.Hotline{Params: arch.Small()})
	require.NoError(t, err)
	return d
}

func options(t *testing.T) clib.Options {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	return clib.Options{Config: "small", Version: "1.2.3", Source: root}
}

// built returns the directory of a library of the small accelerator, shared by all tests.
var built = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "clib") })

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// library builds the shared library and returns its directory.
func library(t *testing.T) string {
	tools.Need(t, "make", "gcc", "g++", "python3")
	dir, err := built()
	require.NoError(t, err)
	require.NoError(t, clib.Write(dir, design(t), options(t)))
	run(t, dir, "make")
	return dir
}

// run runs a command in a directory and returns its output.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// program builds a program from a file in the library's directory and returns its path.
func program(t *testing.T, dir, file, text string) string {
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	name := strings.TrimSuffix(file, filepath.Ext(file))
	run(t, dir, "make", name, "CFLAGS=-Wall -Wextra -Werror -pedantic", "CXXFLAGS=-Wall -Wextra -Werror -pedantic -pthread")
	return filepath.Join(dir, name)
}

func contents(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// TestExamples: both examples read the device identification register, "HOTL".
func TestExamples(t *testing.T) {
	dir, examples := library(t), filepath.Join("..", "..", "examples", "c-library")
	want := "register 0x000 is 0x484f544c after 8 cycles\n"
	require.Equal(t, want, run(t, dir, program(t, dir, "bench.cpp", contents(t, filepath.Join(examples, "bench.cpp")))))
	require.Equal(t, want, run(t, examples, "python3", "bench.py", dir))
}

// hex returns the values of the fields of a frame in hexadecimal.
func hex(fields []sim.Field, frame []uint64) (out []string) {
	for _, x := range fields {
		words := slices.Clone(x.Of(frame))
		slices.Reverse(words)
		v := new(big.Int)
		for _, w := range words {
			v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(w))
		}
		out = append(out, v.Text(16))
	}
	return out
}

// reference returns random inputs, one line per cycle, and the outputs that the Go engine produces
// for them.
func reference(t *testing.T, m sim.Simulator, cycles int) (in, out string) {
	f := sim.NewFormat(m.Ports())
	s := sim.Random(f, 5)
	blocks := sim.NewBlocks(m)
	frame, got := make([]uint64, f.InWords), make([]uint64, f.OutWords)
	for range cycles {
		require.NoError(t, s.Next(frame))
		in += strings.Join(append([]string{fmt.Sprint(frame[0])}, hex(f.In, frame)...), " ") + "\n"
		require.NoError(t, blocks.RunBlock(frame, got))
		out += strings.Join(hex(f.Out, got), " ") + "\n"
	}
	return in, out
}

// replay returns a C++ program that reads inputs into the members of the class and prints its
// output members.
func replay(ports []sim.Port) string {
	var set, print strings.Builder
	for _, p := range ports {
		wide := p.Type.Bits() > 64
		switch {
		case p.Input && wide:
			fmt.Fprintf(&set, "    std::cin >> text; for (int k = 0; k < %d; k++) { size_t end = text.size() > 16u * k ? text.size() - 16 * k : 0, begin = end > 16 ? end - 16 : 0; top.%s[k] = end ? std::stoull(text.substr(begin, end - begin), nullptr, 16) : 0; }\n", ir.Words(p.Type.Bits()), p.Name)
		case p.Input:
			fmt.Fprintf(&set, "    std::cin >> text; top.%s = std::stoull(text, nullptr, 16);\n", p.Name)
		case wide:
			fmt.Fprintf(&print, "    std::printf(\"%%s \", wide(top.%s, %d).c_str());\n", p.Name, ir.Words(p.Type.Bits()))
		default:
			fmt.Fprintf(&print, "    std::printf(\"%%llx \", (unsigned long long)top.%s);\n", p.Name)
		}
	}
	return `#include <cstdio>
#include <iostream>
#include "hotline.hpp"

static std::string wide(const uint64_t *words, int n) {
  std::string out;
  char word[17];
  for (int k = n - 1; k >= 0; k--) {
    std::snprintf(word, sizeof word, out.empty() ? "%llx" : "%016llx", (unsigned long long)words[k]);
    if (words[k] || !out.empty() || k == 0) out += word;
  }
  return out;
}

int main() {
  Hotline top;
  for (std::string text; std::cin >> text;) {
    top.rst = text == "1";
` + set.String() + `    try { top.step(); } catch (const std::runtime_error &e) {
      if (std::string(e.what()).find("assertion failed") == std::string::npos) throw;
    }
` + print.String() + `    std::puts("");
  }
}
`
}

// mixer has ports of many widths, and all of their bits affect the outputs. The accelerator ignores
// most random inputs.
type mixer struct{}

type mixerPorts struct {
	A, B, C, D hw.Bits
	E          hw.Vec
	Sum, Last  hw.Bits
	Lanes      hw.Vec
}

func (mixer) Build(m *hw.Module) mixerPorts {
	io := mixerPorts{m.In("a", 1), m.In("b", 33), m.In("c", 64), m.In("d", 150), m.InVec("e", 5, 14), m.Out("sum", 150), m.Out("last", 13), m.OutVec("lanes", 5, 14)}
	last := m.Reg("last_q", 13, 5)
	m.Assert(io.A.Not(), "a comes")
	last.Set(io.B.Trunc(13).Add(io.A.Ext(13)))
	io.Last.Set(last)
	io.Sum.Set(io.D.Add(io.C.Ext(150)).Add(io.B.Ext(150)))
	m.For("lane", 5, func(i hw.Index) { io.Lanes.At(i).Set(io.E.At(i).Add(last.Ext(14))) })
	return io
}

// TestSameAsTheEngine: the members of the classes have the values of the ports in every cycle.
func TestSameAsTheEngine(t *testing.T) {
	same(t, library(t), small.New(small.Options{}), 3000)

	d, err := hw.Elaborate(mixer{})
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, clib.Write(dir, d, options(t)))
	run(t, dir, "make")
	reference, err := interp.New(d)
	require.NoError(t, err)
	same(t, dir, reference, 500)
	t.Run("assertions", func(t *testing.T) { brokenMixer(t, dir) })
}

// brokenMixer checks that a call that runs cycles stops at a failed assertion, while frames
// continue.
func brokenMixer(t *testing.T, dir string) {
	want := "step 5: code 7 (top: assertion failed in cycle 0: a comes), then cycle 1\n" +
		"run 4: code 7 (top: assertion failed in cycle 2: a comes), then cycle 5\n"
	require.Equal(t, want, run(t, dir, program(t, dir, "assertions.c", contents(t, "testdata/assertions.c"))))
}

func same(t *testing.T, dir string, m sim.Simulator, cycles int) {
	in, want := reference(t, m, cycles)
	replayed := program(t, dir, "replay.cpp", replay(m.Ports()))
	for name, c := range map[string]*exec.Cmd{"C++": exec.Command(replayed), "Python": exec.Command("python3", "testdata/replay.py", dir)} {
		c.Stdin = strings.NewReader(in)
		got, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, got)
		lines, expected := strings.Split(string(got), "\n"), strings.Split(want, "\n")
		require.Len(t, lines, len(expected), name)
		for i := range lines {
			require.Equal(t, expected[i], strings.TrimSpace(lines[i]), "%s: cycle %d", name, i)
		}
	}
}

func TestCalls(t *testing.T) {
	dir := library(t)
	got := run(t, dir, program(t, dir, "calls.c", contents(t, "testdata/calls.c")))
	require.Equal(t, contents(t, "testdata/calls.golden"), got)
}

// TestPythonErrors checks the errors of the Python class.
func TestPythonErrors(t *testing.T) {
	require.Equal(t, contents(t, "testdata/errors.golden"), run(t, ".", "python3", "testdata/errors.py", library(t)))
}

func TestThreads(t *testing.T) {
	dir := library(t)
	require.Equal(t, "4 models\n", run(t, dir, program(t, dir, "threads.cpp", contents(t, "testdata/threads.cpp"))))
}

// TestWrite: if a file of the user has the name of a library file, nothing is written. Unchanged
// files are not rewritten.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "hotline.h")
	require.NoError(t, os.WriteFile(own, []byte("mine\n"), 0o600))
	require.EqualError(t, clib.Write(dir, design(t), options(t)), "clib: replace "+own+": the existing file is not a generated one; remove it, or name another file")
	require.NoFileExists(t, filepath.Join(dir, "go.mod"))

	require.NoError(t, os.Remove(own))
	require.NoError(t, clib.Write(dir, design(t), options(t)))
	before, err := os.Stat(own)
	require.NoError(t, err)
	require.NoError(t, clib.Write(dir, design(t), options(t)))
	after, err := os.Stat(own)
	require.NoError(t, err)
	require.Equal(t, before.ModTime(), after.ModTime())
	for _, file := range []string{"go.mod", "README.md", "Makefile", "hotline.hpp", "hotline.py", "main.go", "models.go", "cycle/model.go"} {
		require.NotRegexp(t, "@[A-Z_]+@", contents(t, filepath.Join(dir, file)), file)
	}
}

func TestErrors(t *testing.T) {
	o := options(t)
	o.Config = "a\"b"
	require.EqualError(t, clib.Write(t.TempDir(), design(t), o), `clib: the configuration is called "a\"b" in version "1.2.3", expected names without quotes and line breaks`)
	o = options(t)
	o.Source = "here"
	require.EqualError(t, clib.Write(t.TempDir(), design(t), o), `clib: the source is at "here", expected an absolute path without quotes and line breaks`)
}

// TestStandards: the headers compile without warnings in every language standard that benches use,
// and a model is movable but not copyable.
func TestStandards(t *testing.T) {
	dir := library(t)
	compile := func(compiler, standard, file, text string) (string, error) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
		cmd := exec.Command(compiler, "-std="+standard, "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only", file)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, standard := range []string{"c99", "c11", "c17"} {
		out, err := compile("gcc", standard, "standard.c", "#include \"hotline.h\"\n#include \"hotline.h\"\n")
		require.NoError(t, err, "%s: %s", standard, out)
	}
	for _, standard := range []string{"c++11", "c++14", "c++17", "c++20"} {
		out, err := compile("g++", standard, "standard.cpp", contents(t, filepath.Join("testdata", "move.cpp")))
		require.NoError(t, err, "%s: %s", standard, out)
		out, err = compile("g++", standard, "standard.cpp", "#include \"hotline.hpp\"\nint main() { Hotline a; Hotline b(a); }\n")
		require.Error(t, err)
		require.Contains(t, out, "deleted function")
	}
	run(t, dir, program(t, dir, "move.cpp", contents(t, filepath.Join("testdata", "move.cpp"))))
}
