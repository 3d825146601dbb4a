package sweep

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/gen/outfile"
)

// Slurm describes how a sweep runs on a cluster.
type Slurm struct {
	Program string   // the executable of the verbs; a copy of it runs
	Limit   int      // number of concurrent tasks; 0 for the limit of the cluster
	Options []string // further options of sbatch, for all jobs
}

// Submission contains the jobs of a sweep on a cluster.
type Submission struct {
	Points  int
	Arrays  []string // job IDs, in order
	Collect string   // ID of the job that writes the tables
}

// arraySize is the number of tasks of an array, which is Slurm's default limit.
const arraySize = 1000

// Names in the folder of a sweep.
const (
	slurmDir    = "slurm"
	programFile = "hotline"
)

// Submit submits the points that are missing or have failed to Slurm. They form job arrays, each of
// which depends on the previous array. A last job collects the results. Slurm restarts the tasks of
// a lost machine.
func Submit(ctx context.Context, s *Store, o Slurm) (sub Submission, err error) {
	points, err := s.Unfinished()
	if err != nil || len(points) == 0 {
		return sub, err
	}
	if err := s.prepare(o.Program); err != nil {
		return sub, err
	}
	sub.Points = len(points)
	for _, a := range arrays(points) {
		args := []string{"--array=" + a.tasks(o.Limit), "--requeue", "--output=" + s.slurmFile("%A_%a.log"), "--job-name=" + s.Plan.Title}
		if n := len(sub.Arrays); n > 0 {
			args = append(args, "--dependency=afterany:"+sub.Arrays[n-1])
		}
		id, err := sbatch(ctx, append(args, o.Options...), s.slurmFile("point.sh"), strconv.Itoa(a.first))
		if err != nil {
			return sub, err
		}
		sub.Arrays = append(sub.Arrays, id)
	}
	args := []string{"--dependency=afterany:" + sub.Arrays[len(sub.Arrays)-1], "--requeue", "--output=" + s.slurmFile("collect.log"), "--job-name=" + s.Plan.Title + "-collect"}
	sub.Collect, err = sbatch(ctx, append(args, o.Options...), s.slurmFile("collect.sh"))
	return sub, err
}

func (s *Store) slurmFile(name string) string { return filepath.Join(s.Dir, slurmDir, name) }

// array contains the points that are tasks of one job array. Task 0 is point first.
type array struct {
	first  int
	points []int
}

// arrays divides points into arrays.
func arrays(points []int) (list []array) {
	for _, n := range points {
		first := n / arraySize * arraySize
		if len(list) == 0 || list[len(list)-1].first != first {
			list = append(list, array{first: first})
		}
		a := &list[len(list)-1]
		a.points = append(a.points, n)
	}
	return list
}

// tasks returns the numbers of the tasks in the syntax of sbatch, such as 0-3,7%2.
func (a array) tasks(limit int) string {
	var parts []string
	for i := 0; i < len(a.points); {
		j := i
		for j+1 < len(a.points) && a.points[j+1] == a.points[j]+1 {
			j++
		}
		part := strconv.Itoa(a.points[i] - a.first)
		if j > i {
			part += "-" + strconv.Itoa(a.points[j]-a.first)
		}
		parts, i = append(parts, part), j+1
	}
	tasks := strings.Join(parts, ",")
	if limit > 0 {
		tasks += "%" + strconv.Itoa(limit)
	}
	return tasks
}

// pointScript runs a point. Slurm restarts a task whose machine is lost, but not a task that is
// killed, for example when it exceeds its memory. The script requests that.
const pointScript = `#!/bin/sh
# Runs a point of a sweep as a task of a job array; $1 is the number of task 0.
%s sweep point %s "$(($1 + SLURM_ARRAY_TASK_ID))"
code=$?
if [ "$code" -eq 137 ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 2 ]; then
  echo "the process was killed; its task is queued again" >&2
  scontrol requeue "$SLURM_JOB_ID"
fi
exit "$code"
`

const collectScript = `#!/bin/sh
# Collects the results of a sweep.
exec %s sweep collect %s
`

// prepare writes the program and the scripts of the jobs to the folder, which all machines of the
// cluster share.
func (s *Store) prepare(program string) error {
	if err := outfile.Folder(filepath.Join(s.Dir, slurmDir)); err != nil {
		return err
	}
	binary, dir := filepath.Join(s.Dir, programFile), quoted(s.Dir)
	if err := install(program, binary); err != nil {
		return err
	}
	return errors.Join(
		outfile.WriteBytes(s.slurmFile("point.sh"), fmt.Appendf(nil, pointScript, quoted(binary), dir)),
		outfile.WriteBytes(s.slurmFile("collect.sh"), fmt.Appendf(nil, collectScript, quoted(binary), dir)))
}

// install copies a program, unless the copy is up to date.
func install(program, to string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, text) {
		return nil
	}
	return outfile.WriteProgram(to, text)
}

// quoted quotes a word for the shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// sbatch submits a script with its arguments and returns the ID of the job.
func sbatch(ctx context.Context, options []string, script ...string) (string, error) {
	args := append([]string{"--parsable", "--open-mode=append"}, options...)
	c := exec.CommandContext(ctx, "sbatch", append(args, script...)...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("submit the job with sbatch: %s", cmp.Or(strings.TrimSpace(stderr.String()), err.Error()))
	}
	id, _, _ := strings.Cut(strings.TrimSpace(string(out)), ";") // the name of the cluster may follow
	return id, nil
}
