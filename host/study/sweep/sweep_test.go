package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/sweep"
)

// base is the file that the verbs of these tests take.
const base = `clock = 1 # MHz
size {
  banks = 4
  rows  = { a = 1 }
}
constant "speed" {
  value = 2
}
`

// programs has a verb whose check refuses 6 banks and the argument "bad".
func programs() sweep.Programs {
	file := func(name string) (string, []byte, error) {
		if name != "" {
			return "", nil, errors.New("open " + name + ": not here")
		}
		return "folder/base.hcl", []byte(base), nil
	}
	return sweep.Programs{
		Version: "1",
		Verbs: map[string]sweep.Verb{"train": {Kinds: []string{"config", "machine"}, Check: func(_ context.Context, args []string) error {
			text, err := os.ReadFile(args[1])
			if err != nil {
				return err
			}
			if strings.Contains(string(text), "banks = 6") {
				return fmt.Errorf("%s:3: banks is 6", args[1])
			}
			if args[len(args)-1] == "bad" {
				return errors.New(`"bad": expected good`)
			}
			return nil
		}}, "both": {Kinds: []string{"config"}, Check: func(_ context.Context, args []string) error {
			text, err := os.ReadFile(args[1])
			if err != nil {
				return err
			}
			if strings.Contains(string(text), "banks = 6") && strings.Contains(string(text), "clock = 2") {
				return errors.New("banks is 6 and clock is 2")
			}
			return nil
		}}, "profile": {}, "keyed": {Keys: []string{"time", "systems[].links[].bytes", "counts.*"}, Check: func(context.Context, []string) error { return nil }}},
		Base: map[string]func(string) (string, []byte, error){"config": file, "machine": func(name string) (string, []byte, error) {
			return name + ".hcl", []byte(base), nil
		}},
	}
}

// planned parses a text and returns its checked plan.
func planned(text string) (*sweep.Plan, error) {
	f, err := sweep.Parse("s.hcl", []byte(text))
	if err != nil {
		return nil, err
	}
	p, err := f.Plan(programs())
	if err != nil {
		return nil, err
	}
	return p, p.Check(context.Background())
}

func plan(t *testing.T, text string) *sweep.Plan {
	p, err := planned(text)
	require.NoError(t, err)
	return p
}

const head = "run \"train\" {\n  arguments = [x]\n}\n"

// TestMistakes checks the message of each mistake.
func TestMistakes(t *testing.T) {
	x := "axis \"x\" {\n  values = [1]\n}\n"
	for _, c := range []struct{ text, want string }{
		{"run {", "s.hcl:1: Unclosed configuration block: "},
		{x, `s.hcl:1: the block run "PROGRAM" is missing`},
		{"run \"train\" {}\n", `s.hcl:1: there is no block axis "NAME"; expected at least one`},
		{"speed = 1\n" + head + x, `s.hcl:1: Unsupported argument: An argument named "speed" is not expected here.`},
		{head + `axis "a-b" { values = [1] }`, `s.hcl:4: axis "a-b": expected a name of letters, digits and _, which does not begin with a digit`},
		{head + `axis "status" { values = [1] }`, `s.hcl:4: axis "status": this is a column of every table; expected another name`},
		{head + x + x, `s.hcl:7: axis "x" is given twice`},
		{head + `axis "x" { values = [] }`, `s.hcl:4: axis "x": values are []; expected a list of at least one`},
		{head + `axis "x" { values = 3 }`, `s.hcl:4: axis "x": values are 3; expected a list of at least one`},
		{head + `axis "x" { values = [1, null] }`, `s.hcl:4: axis "x": a value is null; expected numbers, strings, booleans, or lists and objects of them`},
		{head + `axis "x" { values = [1, 2, 1] }`, `s.hcl:4: axis "x": the value 1 is given twice`},
		{head + `axis "x" { values = [y] }`, `s.hcl:4: Variables not allowed: Variables may not be used here.`},
		{head + x + "axis \"y\" {\n values = [1]\n}", `s.hcl:7: axis "y" changes nothing: it has no attribute, and arguments do not use it`},
		{"run \"train\" {\n  arguments = [z]\n}\n" + x, "s.hcl:2: there is no axis \"z\"; expected x\ns.hcl:4: axis \"x\" changes nothing"},
		{"run \"train\" {\n  arguments = [[x]]\n}\n" + x, "s.hcl:2: arguments are not a list of strings and numbers"},
		{"run \"train\" {\n  arguments = [x, null]\n}\n" + x, "s.hcl:2: an argument is null; expected a string or a number"},
		{head + x + "sample {\n  points = 2\n  seed = 1\n}", "s.hcl:7: points is 2; expected 1 to 1, of which the grid is"},
		{head + "axis \"x\" {\n  values = range(0, 1001)\n}\naxis \"y\" {\n  attribute = \"a\"\n  values = range(0, 1001)\n}", "s.hcl:1: the grid has more than 1000000 points; a sample block chooses some"},
		{"run \"tarin\" {\n  arguments = [x]\n}\n" + x, `s.hcl:1: run "tarin": expected both, keyed, profile, train, or the path of a program, as ./scripts/random-designs`},
		{"run \"./none\" {\n  arguments = [x]\n}\n" + x, `s.hcl:1: exec: "./none": stat ./none: no such file or directory`},
		{"run \"train\" {\n  config = \"none.hcl\"\n  arguments = [x]\n}\n" + x, `s.hcl:1: config: open none.hcl: not here`},
		{"run \"profile\" {\n  config = \"none.hcl\"\n  arguments = [x]\n}\n" + x, `s.hcl:1: config is "none.hcl", but profile takes no config`},
		{"run \"profile\" {}\naxis \"x\" {\n  attribute = \"a.b\"\n  values = [1]\n}", `s.hcl:2: axis "x": attribute "a.b": there is no config to set it in: expected one in the block run, of a verb that takes it`},
		{"run \"train\" {}\naxis \"x\" {\n  attribute = \"machine.a\"\n  values = [1]\n}", `s.hcl:2: axis "x": attribute "machine.a": there is no machine to set it in: expected one in the block run, of a verb that takes it`},
		{"run \"train\" {}\naxis \"x\" {\n  attribute = \"constant.sped.value\"\n  values = [1]\n}", `s.hcl:2: axis "x": attribute "constant.sped.value": base.hcl: there is no block constant "sped"; expected one of speed`},
		{"run \"train\" {}\naxis \"x\" {\n  attribute = \"a.b.c\"\n  values = [1]\n}", `s.hcl:2: axis "x": attribute "a.b.c": base.hcl: there is no block a "b"`},
		{"run \"train\" {}\naxis \"x\" {\n  attribute = \"clock.a\"\n  values = [1]\n}", `s.hcl:2: axis "x": attribute "clock.a": base.hcl: clock is not an object, so it has no entry "a"`},
		{"run \"train\" {}\naxis \"x\" {\n  attribute = \"size.\"\n  values = [1]\n}", `s.hcl:2: axis "x": attribute "size.": base.hcl: a name is empty; expected block.attribute`},
	} {
		_, err := planned(c.text)
		require.ErrorContains(t, err, c.want, c.text)
	}
}

// TestPlots: a plot that the program does not print is reported before anything runs.
func TestPlots(t *testing.T) {
	const text = "run \"keyed\" {\n  arguments = [time, counts]\n}\naxis \"time\" {\n  values = [1]\n}\naxis \"counts\" {\n  values = [1]\n}\nplots = "
	_, err := planned(text + `["time", "result.time", "systems.hotline.links.up_1.bytes", "counts.any.thing"]`)
	require.NoError(t, err)
	for _, name := range []string{"times", "systems.hotline.bytes", "result.systems.hotline.links.up.bytes", "counts", "xtime"} {
		_, err := planned(text + `["time", "` + name + `"]`)
		require.EqualError(t, err, `s.hcl:10: plots: keyed prints no figure "`+name+`"; docs/reference/json.md has its keys, in which a name stands for [], as in systems.hotline.time_ps`)
	}
	_, err = planned(text + "[[1]]")
	require.ErrorContains(t, err, "s.hcl:10: ")
}

// TestAllPointsAreChecked: each mistake of a point is reported once, with the number of points that
// have it.
func TestAllPointsAreChecked(t *testing.T) {
	_, err := planned("run \"train\" {\n  arguments = [word]\n}\naxis \"banks\" {\n  attribute = \"size.banks\"\n  values = [4, 6]\n}\naxis \"word\" {\n  values = [\"good\", \"fine\", \"bad\"]\n}")
	require.EqualError(t, err, "s.hcl:9: point 2 (banks 4, word bad): \"bad\": expected good\ns.hcl:6: point 3 (banks 6, word good), and 2 more points: base.hcl:3: banks is 6")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, plan(t, head+"axis \"x\" {\n  values = [1]\n}").Check(ctx), context.Canceled)
}

// TestPlaceOfAMistake: a mistake of a point is reported at the value that causes it. It is reported
// at the block run if several values cause it, or none.
func TestPlaceOfAMistake(t *testing.T) {
	const run, banks = "run \"train\" {\n  arguments = [x]\n}\n", "axis \"banks\" {\n  attribute = \"size.banks\"\n  values = "
	for _, c := range []struct{ text, want string }{
		{run + banks + "[\n    4,\n    6,\n  ]\n}\naxis \"x\" {\n  values = [\"good\"]\n}", "s.hcl:8: point 1 (banks 6, x good): base.hcl:3: banks is 6"},
		{run + banks + "[6]\n}\naxis \"x\" {\n  values = [\"good\", \"fine\"]\n}", "s.hcl:6: point 0 (banks 6, x good), and 1 more point: base.hcl:3: banks is 6"},
		{run + banks + "range(5, 7)\n}\naxis \"x\" {\n  values = [1]\n}", "s.hcl:6: point 1 (banks 6, x 1): base.hcl:3: banks is 6"},
		{run + banks + "[4]\n}\naxis \"x\" {\n  values = [1,\n    \"bad\"]\n}", "s.hcl:10: point 1 (banks 4, x bad): \"bad\": expected good"},
		{run + "axis \"x\" {\n  values = [\"bad\"]\n}", "s.hcl:1: point 0 (x bad): \"bad\": expected good"}, // there is no other value to compare with
		{run + "axis \"x\" {\n  values = [1,\n    null]\n}", "s.hcl:6: axis \"x\": a value is null; expected numbers, strings, booleans, or lists and objects of them"},
		{run + "axis \"x\" {\n  values = [1,\n    1]\n}", "s.hcl:6: axis \"x\": the value 1 is given twice"},
		{run + banks + "[4, 6]\n}\naxis \"x\" {\n  values = range(0, 100)\n}\nsample {\n  points = 1\n  seed = 2\n}", "s.hcl:6: point 0 (banks 6, x 36): base.hcl:3: banks is 6"},
	} {
		_, err := planned(c.text)
		require.EqualError(t, err, c.want, c.text)
	}
	both := "run \"both\" {}\n" + banks + "[5, 6]\n}\naxis \"clock\" {\n  attribute = \"clock\"\n  values = [1, 2]\n}"
	_, err := planned(both)
	require.EqualError(t, err, "s.hcl:1: point 3 (banks 6, clock 2): banks is 6 and clock is 2")
}

// TestPoints: attributes are set in the text of their files, arguments contain the values of axes,
// and the key depends on all of these.
func TestPoints(t *testing.T) {
	p := plan(t, `run "train" {
  machine   = "m"
  arguments = ["--system", "hybrid,${system}", 3]
}
axis "banks" {
  attribute = "size.banks"
  values    = [4, 8]
}
axis "row" {
  attribute = "size.rows.b"
  values    = [0.1]
}
axis "speed" {
  attribute = "machine.constant.speed.value"
  values    = [2.5]
}
axis "lanes" {
  attribute = "link.lanes"
  values    = [[1, 2]]
}
axis "system" {
  values = ["fae", "xdl"]
}
`)
	require.Len(t, p.Points, 4)
	require.Equal(t, []string{"--system", "hybrid,xdl", "3"}, p.Points[1].Arguments)
	require.Equal(t, "config base.hcl "+strings.NewReplacer("banks = 4", "banks = 8", "{ a = 1 }", "{\n    a = 1\n    b = 0.1\n  }", "rows  =", "rows =").Replace(base)+"link {\n  lanes = [1, 2]\n}\n",
		fmt.Sprint(p.Points[2].Files[0].Kind, " ", p.Points[2].Files[0].Name, " ", p.Points[2].Files[0].Text))
	require.Equal(t, "m.hcl", p.Points[2].Files[1].Name)
	require.Contains(t, p.Points[2].Files[1].Text, "value = 2.5\n")
	require.Contains(t, p.Points[2].Files[1].Text, "banks = 4\n")
	keys := map[string]bool{}
	for _, x := range p.Points {
		keys[x.Key] = true
	}
	require.Len(t, keys, 4)
}

// TestKeys: the same point has the same key in another sweep. The key depends on the version.
func TestKeys(t *testing.T) {
	key := func(version, values string) string {
		f, err := sweep.Parse("s.hcl", []byte(head+"axis \"x\" {\n  values = "+values+"\n}"))
		require.NoError(t, err)
		programs := programs()
		programs.Version = version
		p, err := f.Plan(programs)
		require.NoError(t, err)
		return p.Points[0].Key
	}
	require.Equal(t, key("1", "[1]"), key("1", "[1, 2]"))
	require.NotEqual(t, key("1", "[1]"), key("2", "[1]"))
	require.NotEqual(t, key("1", "[1]"), key("1", "[2]"))
}

// TestSample: a sample contains points of the grid, each once, in the order of the grid. It depends
// on the seed.
func TestSample(t *testing.T) {
	values := func(sample string) (list []string) {
		for _, x := range plan(t, head+"axis \"x\" {\n  values = range(0, 20)\n}\naxis \"y\" {\n  attribute = \"clock\"\n  values = [1, 2]\n}\n"+sample).Points {
			list = append(list, string(x.Values[0])+" "+string(x.Values[1]))
		}
		return list
	}
	grid := values("")
	require.Equal(t, []string{"0 1", "0 2", "1 1"}, grid[:3])
	require.Equal(t, grid, values("sample {\n  points = 40\n  seed = 3\n}"))
	some := values("sample {\n  points = 5\n  seed = 3\n}")
	require.Len(t, some, 5)
	require.Equal(t, some, values("sample {\n  points = 5\n  seed = 3\n}"))
	require.NotEqual(t, some, values("sample {\n  points = 5\n  seed = 4\n}"))
	require.Subset(t, grid, some)
	seen := map[string]bool{}
	for _, s := range some {
		seen[s] = true
	}
	require.Len(t, seen, 5)
}

// file writes an executable file and returns its path.
func file(t *testing.T, name, text string) string {
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o700))
	return path
}
