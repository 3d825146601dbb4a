package command

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/tools"
)

// waiting is the program of a point. It reports its process id and its parents, waits until it may
// continue, and prints a number. It gives up after five minutes.
const waiting = `#!/bin/sh
echo run >>runs-$1
echo $$ >pid-$1.new && mv pid-$1.new pid-$1
i=0
while [ ! -e go-$1 ] && [ ! -e go ] && [ $i -lt 3000 ]; do sleep 0.1; i=$((i + 1)); done
echo "{\"square\": $(($1 * $1))}"
[ "$1" -ne 5 ] || { echo "five is refused" >&2; exit 1; }
`

const waitingSweep = `run "./waiting" {
  arguments = [n]
}
axis "n" {
  values = range(0, 6)
}
`

// cluster is a Slurm cluster with one machine.
type cluster struct {
	t   *testing.T
	dir string
}

// startSlurm starts a cluster with scripts/slurm, until the end of the test.
func startSlurm(t *testing.T) *cluster {
	c := exec.Command("../../../scripts/slurm", "sh", "-c", `echo "$HOTLINE_SLURM"; read line`)
	c.Stderr = os.Stderr
	stdin, err := c.StdinPipe()
	require.NoError(t, err)
	stdout, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	t.Cleanup(func() {
		stdin.Close()
		_ = c.Wait() // the status of read does not matter
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err, "scripts/setup installs Slurm")
	dir := strings.TrimSpace(line)
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	return &cluster{t, dir}
}

// eventually waits until a condition holds.
func eventually(t *testing.T, what string, there func() bool) {
	t.Helper()
	require.Eventually(t, there, 3*time.Minute, 50*time.Millisecond, what)
}

// printedBy returns the output of a command, which must succeed.
func printedBy(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(t, err, string(out))
	return string(out)
}

// finished waits until the queue is empty, and returns the output of the collecting job.
func (c *cluster) finished() string {
	eventually(c.t, "an empty queue", func() bool { return printedBy(c.t, "squeue", "-h") == "" })
	return contents(c.t, "out/slurm/collect.log")
}

// pid waits for the program of a point and returns its process id.
func pid(t *testing.T, n int) int {
	var p int
	eventually(t, fmt.Sprintf("point %d", n), func() bool {
		text, err := os.ReadFile(fmt.Sprintf("pid-%d", n))
		p, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	})
	return p
}

// parent returns the parent of a process.
func parent(t *testing.T, pid int) int {
	text := contents(t, fmt.Sprintf("/proc/%d/status", pid))
	_, rest, ok := strings.Cut(text, "\nPPid:\t")
	require.True(t, ok)
	line, _, _ := strings.Cut(rest, "\n")
	p, err := strconv.Atoi(line)
	require.NoError(t, err)
	return p
}

func kill(t *testing.T, pid int) { require.NoError(t, syscall.Kill(pid, syscall.SIGKILL)) }

func runs(t *testing.T, n int) int {
	return strings.Count(contents(t, fmt.Sprintf("runs-%d", n)), "run\n")
}

func goOn(t *testing.T, name string) { require.NoError(t, os.WriteFile(name, nil, 0o600)) }

// TestSweepOnSlurm: during a sweep, a process is killed, the machine is lost, and a task is
// cancelled. The first two are queued again. The cancelled task is missing. When the sweep is
// started again, only the cancelled and the failed point run.
func TestSweepOnSlurm(t *testing.T) {
	tools.Need(t, "bash", "sbatch", "scontrol", "slurmd")
	hotline := program(t)
	slurm := startSlurm(t)
	dir := folder(t, map[string]string{"sweep.hcl": waitingSweep})
	require.NoError(t, os.WriteFile("waiting", []byte(waiting), 0o700))

	submitted := printedBy(t, hotline, "sweep", "sweep.hcl", "--out", "out", "--slurm", "--jobs", "2", "--", "--comment=from-a-test")
	require.Regexp(t, `^points   6, as tasks of job 1\ncollect  job 2, behind them\nresults  `+dir+`/out\n$`, submitted)
	require.Contains(t, printedBy(t, "scontrol", "show", "job", "1_0"), "Comment=from-a-test")

	first, second := pid(t, 0), pid(t, 1)
	require.NoFileExists(t, "pid-2", "two at a time")
	kill(t, parent(t, first)) // hotline sweep point
	kill(t, first)
	cancelled := pid(t, 2) // takes the place of the first
	slurm.loseMachine(second)
	time.Sleep(5 * time.Second) // before that, Slurm assumes that the machine is about to start the unknown task
	printedBy(t, "slurmd")
	goOn(t, "go-0")
	goOn(t, "go-1")

	printedBy(t, "scancel", "1_2")
	eventually(t, "the end of the cancelled point", func() bool { return syscall.Kill(cancelled, 0) != nil })
	goOn(t, "go")
	ended := slurm.finished()
	require.Equal(t, "points   6: 4 done, 1 failed, 1 missing\nresults  "+dir+"/out/results.csv, with .html\n"+
		"failed   point 5 (n 5): five is refused\n         log: "+logOf(t, 5)+"\n"+
		"hotline: 1 of 6 points failed, 1 are missing\n", ended)
	require.Equal(t, "point:int64,n:int64,status:string,message:string,square:int64\n0,0,done,,0\n1,1,done,,1\n2,2,missing,,\n3,3,done,,9\n4,4,done,,16\n5,5,failed,five is refused,25\n", contents(t, "out/results.csv"))
	for n, want := range []int{2, 2, 1, 1, 1, 1} {
		require.Equal(t, want, runs(t, n), "point %d", n)
	}
	require.Contains(t, contents(t, "out/slurm/1_0.log"), "the process was killed; its task is queued again\n")

	require.Contains(t, printedBy(t, hotline, "sweep", "sweep.hcl", "--out", "out", "--slurm"), "points   2, as tasks of job ")
	require.Contains(t, slurm.finished(), "points   6: 5 done, 1 failed, 0 missing\n")
	require.Equal(t, []int{2, 1, 2}, []int{runs(t, 2), runs(t, 3), runs(t, 5)})
}

// loseMachine kills the daemon of the machine, and all processes that it has started for a point.
func (c *cluster) loseMachine(pid int) {
	daemon, err := strconv.Atoi(strings.TrimSpace(contents(c.t, filepath.Join(c.dir, "slurmd.pid"))))
	require.NoError(c.t, err)
	point := parent(c.t, pid)
	script := parent(c.t, point)
	step := parent(c.t, script)
	for _, p := range []int{daemon, step, script, point, pid} {
		kill(c.t, p)
	}
}

// logOf returns the log file of a point.
func logOf(t *testing.T, n int) string {
	_, text, _ := strings.Cut(contents(t, "out/slurm/collect.log"), "log: ")
	line, _, _ := strings.Cut(text, "\n")
	require.FileExists(t, line)
	require.Equal(t, "five is refused\n", contents(t, line))
	return line
}
