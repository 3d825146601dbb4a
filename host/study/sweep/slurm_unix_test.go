//go:build unix

package sweep

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestArrays: points are tasks with numbers below 1000. Consecutive numbers form ranges.
func TestArrays(t *testing.T) {
	list := arrays([]int{0, 1, 2, 5, 7, 8, 999, 1000, 3001})
	var got []string
	for _, a := range list {
		got = append(got, a.tasks(0))
	}
	require.Equal(t, []string{"0-2,5,7-8,999", "0", "1"}, got)
	require.Equal(t, []int{0, 1000, 3000}, []int{list[0].first, list[1].first, list[2].first})
	require.Equal(t, "0-2,5,7-8,999%4", list[0].tasks(4))
}

// TestSubmissions checks the arguments of sbatch with a program in its place: arrays that depend on
// each other, and a final job that collects. Points with the same key run once.
func TestSubmissions(t *testing.T) {
	bin := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\necho \"$@\" >>"+bin+"/log\nwc -l <"+bin+"/log\n"), 0o700))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	p := &Plan{Title: "it's", Program: "train", Points: make([]Point, 1001)}
	for n := range p.Points {
		p.Points[n].Key = "as the first"
	}
	p.Points[3].Key, p.Points[1000].Key = "third", "last"
	s, err := Create(filepath.Join(t.TempDir(), "it's"), p)
	require.NoError(t, err)
	sub, err := Submit(context.Background(), s, Slurm{Program: filepath.Join(bin, "sbatch"), Limit: 3, Options: []string{"--mem=1G"}})
	require.NoError(t, err)
	require.Equal(t, Submission{Points: 3, Arrays: []string{"1", "2"}, Collect: "3"}, sub)
	log, err := os.ReadFile(filepath.Join(bin, "log"))
	require.NoError(t, err)
	dir := s.Dir + "/slurm/"
	require.Equal(t, "--parsable --open-mode=append --array=0,3%3 --requeue --output="+dir+"%A_%a.log --job-name=it's --mem=1G "+dir+"point.sh 0\n"+
		"--parsable --open-mode=append --array=0%3 --requeue --output="+dir+"%A_%a.log --job-name=it's --dependency=afterany:1 --mem=1G "+dir+"point.sh 1000\n"+
		"--parsable --open-mode=append --dependency=afterany:2 --requeue --output="+dir+"collect.log --job-name=it's-collect --mem=1G "+dir+"collect.sh\n", string(log))
	script, err := os.ReadFile(dir + "point.sh")
	require.NoError(t, err)
	place := strings.ReplaceAll(s.Dir, "'", `'\''`)
	require.Contains(t, string(script), "\n'"+place+"/hotline' sweep point '"+place+"' \"$(($1 + SLURM_ARRAY_TASK_ID))\"\n")

	copied, err := os.ReadFile(s.Dir + "/hotline")
	require.NoError(t, err)
	require.Contains(t, string(copied), "#!/bin/sh\necho", "the program that was given")

	require.NoError(t, os.WriteFile(filepath.Join(bin, "sbatch"), []byte("#!/bin/sh\necho no partition >&2\nexit 1\n"), 0o700))
	_, err = Submit(context.Background(), s, Slurm{Program: filepath.Join(bin, "sbatch")})
	require.EqualError(t, err, "submit the job with sbatch: no partition")
}

// TestTask: a task whose process is killed is requeued at most twice. A task that fails or is
// cancelled is not requeued. Its exit code is the exit code of the process.
func TestTask(t *testing.T) {
	bin := t.TempDir()
	s, err := Create(filepath.Join(t.TempDir(), "out"), &Plan{Program: "train", Points: []Point{{Key: "one"}}})
	require.NoError(t, err)
	program := filepath.Join(bin, "program")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\necho \"$@\" >>"+bin+"/log\n[ $4 -ge 0 ] || kill -$((-$4)) $$\nexit $4\n"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(bin, "scontrol"), []byte("#!/bin/sh\necho scontrol \"$@\" >>"+bin+"/log\n"), 0o700))
	require.NoError(t, s.prepare(program))
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("SLURM_JOB_ID", "7")
	for _, c := range []struct {
		task, restarts string
		code           int
		queued         bool
	}{{"0", "", 0, false}, {"1", "", 1, false}, {"-9", "", 137, true}, {"-9", "1", 137, true}, {"-9", "2", 137, false}, {"-15", "", 143, false}} {
		require.NoError(t, os.RemoveAll(bin+"/log"))
		t.Setenv("SLURM_ARRAY_TASK_ID", c.task)
		t.Setenv("SLURM_RESTART_COUNT", c.restarts)
		command := exec.Command("sh", s.slurmFile("point.sh"), "0")
		_ = command.Run() // the exit code is checked
		require.Equal(t, c.code, command.ProcessState.ExitCode(), c)
		log, err := os.ReadFile(bin + "/log")
		require.NoError(t, err)
		want := "sweep point " + s.Dir + " " + c.task + "\n"
		if c.queued {
			want += "scontrol requeue 7\n"
		}
		require.Equal(t, want, string(log), c)
	}
}
