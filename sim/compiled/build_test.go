package compiled

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

const program = modulePath + "/sim/compiled/testdata/run"

// output returns the output of a program.
func output(t *testing.T, path string, args ...string) string {
	out, err := exec.Command(path, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// TestBuild: Build works outside the module. The program contains a model of its design only, and
// reports failed assertions like the interpreter.
func TestBuild(t *testing.T) {
	t.Chdir(t.TempDir())
	d, dir := design(t, 16), t.TempDir()
	made, err := Build(d, program, dir)
	require.NoError(t, err)
	require.True(t, made.New)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 2, "the program and the generator; nothing unfinished stays")

	got := output(t, made.Path, "16")
	s, err := interp.New(d)
	require.NoError(t, err)
	sim.Find(s, "on").Set(1)
	want := []string{"compiled: generated Go for this very design"}
	for cycle, x := range []uint64{2, 2, 201, 9} {
		s.SetReset(cycle == 0)
		sim.Find(s, "x").Set(x)
		want = append(want, fmt.Sprint(s.Step()))
	}
	lines, waves, _ := strings.Cut(got, "$version")
	caller := regexp.MustCompile(` < \S+:\d+:`) // the caller of hw.Elaborate differs here
	require.Equal(t, caller.ReplaceAllString(strings.Join(want, "\n")+"\n", ":"), caller.ReplaceAllString(lines, ":"))
	require.Regexp(t, `lanes/lanes.go:\d+ .*: lane\[2\]: assertion failed in cycle 1: x differs from the lane`, lines)
	require.Regexp(t, `lanes/lanes.go:\d+ .*: top: assertion failed in cycle 2: x is below 200`, lines)
	require.Equal(t, ` Hotline $end
$timescale 1ps $end
$scope module lanes $end
$var wire 1 ! clk $end
$var wire 1 " on $end
$var wire 8 # x [7:0] $end
$var wire 8 $ n [7:0] $end
$var reg 8 % n_q [7:0] $end
$var wire 1 & rst $end
$upscope $end
$enddefinitions $end
#0
$dumpvars
1!
1"
b10 #
b0 $
b0 %
1&
$end
#500
0!
#1000
1!
0&
b111 $
b111 %
#1500
0!
#2000
1!
b11001001 #
b1000 $
b1000 %
#2500
0!
#3000
1!
b1001 #
b1001 $
b1001 %
#3500
0!
#4000
`, waves)

	again, err := Build(d, program, dir)
	require.NoError(t, err)
	require.Equal(t, Program{Path: made.Path}, again)

	got = output(t, made.Path, "17", dir)
	require.Regexp(t, `^interpreted: no model of design .*\ncompiled: the source in .* has changed since the command was built; build it again\n$`, got)
}

func TestWhatIsMissing(t *testing.T) {
	d, dir := design(t, 4), t.TempDir()
	_, err := Build(d, modulePath+"/no/such/command", dir)
	require.ErrorContains(t, err, "compiled: go list: exit status 1\n")
	require.ErrorContains(t, err, "/no/such/command")
	_, err = Build(d, "example.com/mine/cmd/run", dir)
	require.ErrorContains(t, err, "compiled: go list: exit status 1\n")
	require.Equal(t, "start the program in the module of example.com/mine/cmd/run", last(err.Error()))
	t.Setenv("PATH", t.TempDir())
	_, err = Build(d, program, dir)
	require.EqualError(t, err, `compiled: program "go" not found; install the Go toolchain or add it to PATH`)
}

// TestWithoutSource: a program built with -trimpath does not know its source, but finds it in the
// current directory.
func TestWithoutSource(t *testing.T) {
	root, err := Source()
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(root, "sim", "compiled", "source.go"))
	at := t.TempDir()
	t.Chdir(at)
	_, err = sourceAt(at)
	require.EqualError(t, err, "compiled: no source of "+modulePath+" where this program was compiled ("+at+") or in the present directory; start it in a clone")

	embedded = func() (string, error) { return root, nil }
	defer func() { embedded = nil }()
	found, err := sourceAt(at)
	require.NoError(t, err)
	require.Equal(t, root, found, "a release contains the source")
	embedded = func() (string, error) { return "", errors.New("not used") }
	t.Chdir(filepath.Join(root, "hw"))
	found, err = sourceAt("github.com/hotline-rtl/hotline")
	require.NoError(t, err)
	require.Equal(t, root, found)
}
