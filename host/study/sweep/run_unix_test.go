//go:build unix

package sweep_test

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/study/sweep"
)

// store creates a sweep of a program whose argument is the axis n.
func store(t *testing.T, script, values, rest string) *sweep.Store {
	path := file(t, "program", "#!/bin/sh\n"+script)
	p := plan(t, "run \""+path+"\" {\n  arguments = [n]\n}\naxis \"n\" {\n  values = "+values+"\n}\n"+rest)
	s, err := sweep.Create(filepath.Join(t.TempDir(), "out"), p)
	require.NoError(t, err)
	return s
}

// run runs the unfinished points. It returns the progress lines and the table.
func run(t *testing.T, s *sweep.Store) (said []string, csv string) {
	require.NoError(t, sweep.Run(context.Background(), s, sweep.Options{Jobs: 2, Progress: func(done, total int, line string) {
		if line != "" {
			said = append(said, line)
		}
	}}))
	_, err := s.Collect()
	require.NoError(t, err)
	return said, contents(t, filepath.Join(s.Dir, "results.csv"))
}

func contents(t *testing.T, file string) string {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return string(b)
}

// TestFailuresAreKept: a failed point has its message in the table and its log, and the other
// points continue. When the sweep runs again, only failed points run.
func TestFailuresAreKept(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	s := store(t, `echo $1 >>`+count+`
[ $1 -ne 2 ] || { echo first >&2; echo "two is odd" >&2; exit 3; }
[ $1 -ne 3 ] || kill -9 $$
echo "{\"half\": $1.5}"`, "[1, 2, 3, 4]", "")
	said, csv := run(t, s)
	require.ElementsMatch(t, []string{"point 1 (n 2) failed: two is odd", "point 2 (n 3) failed: signal: killed"}, said)
	require.Equal(t, "point:int64,n:int64,status:string,message:string,half:double\n0,1,done,,1.5\n1,2,failed,two is odd,\n2,3,failed,signal: killed,\n3,4,done,,4.5\n", csv)
	end, err := s.End(1)
	require.NoError(t, err)
	require.Equal(t, sweep.End{Status: sweep.Failed, ExitCode: 3, Message: "two is odd", Attempt: end.Attempt}, end)
	require.Equal(t, "first\ntwo is odd\n", contents(t, s.Log(1, end)))
	page := contents(t, filepath.Join(s.Dir, "results.html"))
	require.Contains(t, page, "first\ntwo is odd\n</pre>")

	before := contents(t, count)
	_, again := run(t, s)
	require.Equal(t, csv, again)
	require.ElementsMatch(t, []string{"2", "3"}, strings.Fields(strings.TrimPrefix(contents(t, count), before)))
}

// TestManyFailures: at most ten failed points are listed, with truncated messages.
func TestManyFailures(t *testing.T) {
	s := store(t, `head -c 100000 /dev/zero | tr '\0' x >&2; exit 1`, "range(13)", "")
	run(t, s)
	table, err := s.Collect()
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, table.Print(&out))
	require.Equal(t, 10, strings.Count(out.String(), "failed   point "))
	require.True(t, strings.HasSuffix(out.String(), "\n         and 3 more\n"), out.String())
	require.Equal(t, 10, strings.Count(out.String(), strings.Repeat("x", 80)+"… (100,000 characters)\n"))
	require.Less(t, out.Len(), 5000)
}

// TestLargerGrid: existing results are used for the points with the same keys.
func TestLargerGrid(t *testing.T) {
	count := filepath.Join(t.TempDir(), "count")
	s := store(t, "echo $1 >>"+count, "[1, 2]", "")
	run(t, s)
	larger := plan(t, "run \""+s.Plan.Program+"\" {\n  arguments = [n]\n}\naxis \"n\" {\n  values = [2, 3, 1]\n}\n")
	s, err := sweep.Create(s.Dir, larger)
	require.NoError(t, err)
	_, csv := run(t, s)
	require.Equal(t, "point:int64,n:int64,status:string,message:string\n0,2,done,\n1,3,done,\n2,1,done,\n", csv)
	require.ElementsMatch(t, []string{"1", "2", "3"}, strings.Fields(contents(t, count)))
}

// TestInterruptedRun: running points are terminated with their child processes and leave no result.
// The remaining points can run later.
func TestInterruptedRun(t *testing.T) {
	marks := t.TempDir()
	s := store(t, `cd `+marks+`
[ $1 -ne 1 ] || [ -e go ] || { sleep 60 & echo $! >child.new; mv child.new child; wait; }
echo "{\"n\": $1}"`, "[0, 1, 2]", "")
	ctx, cancel := context.WithCancelCause(context.Background())
	stop := errors.New("enough")
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(marks, "child")); err == nil {
				cancel(stop)
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	require.ErrorIs(t, sweep.Run(ctx, s, sweep.Options{Jobs: 1}), stop)
	end, err := s.End(1)
	require.NoError(t, err)
	require.Equal(t, sweep.Missing, end.Status)
	left, err := filepath.Glob(filepath.Join(s.Dir, "points", s.Plan.Points[1].Key, "attempt-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	child, err := strconv.Atoi(strings.TrimSpace(contents(t, filepath.Join(marks, "child"))))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return syscall.Kill(child, 0) != nil }, 30*time.Second, 10*time.Millisecond)
	require.NoError(t, os.WriteFile(filepath.Join(marks, "go"), nil, 0o600))
	_, csv := run(t, s)
	require.Equal(t, "point:int64,n:int64,status:string,message:string,result.n:int64\n0,0,done,,0\n1,1,done,,1\n2,2,done,,2\n", csv)
}

// TestEndedFromOutside: a program that another process terminates has no result and does not stop
// other points.
func TestEndedFromOutside(t *testing.T) {
	s := store(t, "[ $1 -ne 0 ] || kill -TERM $$\n[ $1 -ne 1 ] || exit 130", "[0, 1, 2]", "")
	said, csv := run(t, s)
	require.ElementsMatch(t, []string{"point 0 (n 0): the program was ended from outside: terminated", "point 1 (n 1): the program was ended from outside: interrupt"}, said)
	require.Equal(t, "point:int64,n:int64,status:string,message:string\n0,0,missing,\n1,1,missing,\n2,2,done,\n", csv)
}

// TestKilledAttempt: the files of a killed attempt are not a result. A point that is done does not
// run again.
func TestKilledAttempt(t *testing.T) {
	s := store(t, "echo '{\"a\": 1}'", "[0]", "")
	left := filepath.Join(s.Dir, "points", s.Plan.Points[0].Key, "attempt-1")
	require.NoError(t, os.Mkdir(left, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(left, "output"), []byte("{"), 0o600))
	_, csv := run(t, s)
	require.Equal(t, "point:int64,n:int64,status:string,message:string,a:int64\n0,0,done,,1\n", csv)
	before, err := s.End(0)
	require.NoError(t, err)
	after, err := s.RunPoint(context.Background(), 0, "")
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// TestDamagedEnd: a point whose end.json cannot be read runs again.
func TestDamagedEnd(t *testing.T) {
	s := store(t, "echo '{\"a\": 1}'", "[0]", "")
	_, want := run(t, s)
	end := filepath.Join(s.Dir, "points", s.Plan.Points[0].Key, "end.json")
	for _, left := range []string{"", "{", "{\"status\": 1}"} {
		require.NoError(t, os.WriteFile(end, []byte(left), 0o600))
		_, csv := run(t, s)
		require.Equal(t, want, csv)
	}
}

// TestCannotStart: a program that cannot be started is a failed point.
func TestCannotStart(t *testing.T) {
	s := store(t, "", "[0]", "")
	require.NoError(t, os.Remove(s.Plan.Program))
	said, _ := run(t, s)
	require.Len(t, said, 1)
	require.Contains(t, said[0], "no such file or directory")
}

// TestOpen: a process that joins a sweep must have programs of the same version.
func TestOpen(t *testing.T) {
	s := store(t, "", "[0]", "")
	got, err := sweep.Open(s.Dir, "1")
	require.NoError(t, err)
	require.Equal(t, s.Plan.Points, got.Plan.Points)
	_, err = sweep.Open(s.Dir, "2")
	require.EqualError(t, err, s.Dir+`/sweep.json is of version "1", and this program of version "2"; start the sweep in a new folder`)
	_, err = sweep.Open(filepath.Dir(s.Dir), "1")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.WriteFile(filepath.Join(s.Dir, "sweep.json"), []byte(`{"schema": "x"}`), 0o600))
	_, err = sweep.Open(s.Dir, "1")
	require.EqualError(t, err, s.Dir+`/sweep.json: schema is "x"; expected hotline.sweep/1`)
}

// figures is a program whose figures have all types.
const figures = `cat <<END
{"schema": "s/1", "version": "1", "configuration": {"a": 1}, "n": 7, "time": $1, "exact": $([ $1 = 2 ] && echo 0.5 || echo 1), "good": true, "none": null,
"mixed": $([ $1 = 2 ] && echo 1 || echo '"a,b"'), "series": [1, 2], "unnamed": [{"loss": 1}],
"systems": [{"system": "hybrid", "links": [{"link": "host to GPUs", "bytes": 5}]}, {"system": "fae", "bound_by": "GPU"}, {"system": "fae", "bound_by": "CPU"}],
"speed_ups": [{"system": "fae", "profile": "sceptic", "over": "hybrid", "value": 1.5}]}
END`

// TestFigures checks the columns and types of a table byte by byte.
func TestFigures(t *testing.T) {
	s := store(t, figures, "[1, 2, 3]", "")
	_, csv := run(t, s)
	lines := strings.Split(csv, "\n")
	require.Equal(t, []string{
		"point:int64,n:int64,status:string,message:string,exact:double,good:bool,mixed:string,result.n:int64,speed_ups.fae.sceptic.over:string,speed_ups.fae.sceptic.value:double,systems.fae-2.bound_by:string,systems.fae.bound_by:string,systems.hybrid.links.host_to_GPUs.bytes:int64,time:int64",
		`0,1,done,,1,true,"a,b",7,hybrid,1.5,CPU,GPU,5,1`,
		`1,2,done,,0.5,true,1,7,hybrid,1.5,CPU,GPU,5,2`,
	}, lines[:3])

	_, again := run(t, s)
	require.Equal(t, csv, again)
}

// TestPage: the page has a chart for each figure and axis, with a line for each combination of the
// other axes' values. The page is well-formed.
func TestPage(t *testing.T) {
	path := file(t, "program", "#!/bin/sh\necho \"{\\\"y\\\": $1}\"\n")
	text := "run \"" + path + "\" {\n  arguments = [n, \"<b>\", kind]\n}\naxis \"n\" {\n  values = [3, 1, 2]\n}\naxis \"kind\" {\n  values = [\"a<\", \"b\"]\n}\nplots = [\"y\", \"z\"]\n"
	for _, c := range []struct {
		sample       string
		paths, signs int
	}{{"", 2, 6 + 2 + 6 + 3}, {"sample {\n  points = 6\n  seed = 1\n}\n", 0, 6 + 6 + 1 + 1}} {
		s, err := sweep.Create(filepath.Join(t.TempDir(), "out"), plan(t, text+c.sample))
		require.NoError(t, err)
		run(t, s)
		page := contents(t, filepath.Join(s.Dir, "results.html"))
		d := xml.NewDecoder(strings.NewReader(page))
		d.Strict = true
		for err == nil {
			_, err = d.Token()
		}
		require.Equal(t, io.EOF, err)
		require.Equal(t, 2, strings.Count(page, "<svg "))
		require.Equal(t, c.paths*2, strings.Count(page, `<path class="line"`), "drawn and in the legend")
		require.Equal(t, c.signs, strings.Count(page, `<path class="point"`))
		require.Contains(t, page, ">a&lt;</td>")
		for _, path := range regexp.MustCompile(`<path class="line" d="M([\d.]+) [\d.]+L([\d.]+) [\d.]+L([\d.]+) `).FindAllStringSubmatch(page, -1) {
			require.IsIncreasing(t, []float64{value(t, path[1]), value(t, path[2]), value(t, path[3])}, "from left to right")
		}
		table, err := s.Table()
		require.NoError(t, err)
		var out strings.Builder
		require.NoError(t, table.Print(&out))
		require.Contains(t, out.String(), "plots    there is no figure z in the results; results.csv has their names, such as y\n")
	}
}

// value parses a number.
func value(t *testing.T, text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return f
}

// TestTwoProcesses: two processes that run the same point concurrently leave one result, and both
// succeed.
func TestTwoProcesses(t *testing.T) {
	s := store(t, "sleep 0.2; echo '{}'", "[0]", "")
	done := make(chan error)
	for range 2 {
		go func() {
			_, err := s.RunPoint(context.Background(), 0, "")
			done <- err
		}()
	}
	require.NoError(t, errors.Join(<-done, <-done))
	e, err := s.End(0)
	require.NoError(t, err)
	require.Equal(t, sweep.Done, e.Status)
}
