package faults

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// episode is an episode of random commands on one server.
type episode struct {
	seed     uint64
	number   int
	rate     float64
	hardware bool
	commands int
}

// run runs the episode. The result is valid even if run returns an error.
func (s episode) run() (*result, error) {
	m, err := newMachine(s)
	if err != nil {
		return newResult(), err
	}
	for err == nil && m.result.commands < s.commands {
		err = m.round(m.draw())
	}
	if err == nil {
		err = m.finish()
	}
	return m.result, err
}

// job is a sequence of commands that can be repeated as a whole.
type job struct {
	commands []arch.Command
	// rows reports whether the commands use prefetched rows. Such jobs depend on earlier jobs of
	// this kind.
	rows bool
	// ready prepares the job before it is submitted. It may be nil.
	ready func() error
	// written returns the ranges that the last command writes.
	written func() []part
	// done checks the completion of the last command and records the expected contents of memory.
	done func(c driver.Completion) error

	begun des.Time // time of the first submission
	last  driver.Completion
	err   error // first error of its commands
}

// Reasons to repeat a job, in addition to the driver's errors.
var (
	errBehindReset = errors.New("the registers were lost in a reset")
	errRows        = errors.New("a row before was not taken")
)

// mark is a reading of the recovery counts. Two marks differ if a recovery happened between them.
type mark struct{ repeated, recoveries int }

func (m *machine) mark() mark { return mark{m.drv.Survived().Repeated, m.result.sum()} }

// mostTries limits the attempts at a round.
const mostTries = 50

// round runs jobs that are all in flight together, and repeats failed jobs until each has had its
// effect.
func (m *machine) round(jobs []*job) error {
	for _, j := range jobs {
		j.begun = m.server.Kernel.Now()
	}
	before := m.mark()
	for try := 0; len(jobs) > 0; try++ {
		if try == mostTries {
			return fmt.Errorf("%v has failed %d times: %w", jobs[0].commands, try, jobs[0].err)
		}
		if err := m.prepare(jobs); err != nil {
			return err
		}
		for _, j := range jobs {
			if err := m.submit(j); err != nil {
				return err
			}
		}
		if err := m.drv.Drain(); err != nil {
			return err
		}
		if err := m.server.FlushGPUs(); err != nil {
			return err
		}
		var err error
		if jobs, err = m.settle(jobs, before); err != nil {
			return err
		}
	}
	return nil
}

// prepare restores the accelerator and prepares the jobs.
func (m *machine) prepare(jobs []*job) error {
	for _, j := range jobs {
		if err := m.bringUp(); err != nil {
			return err
		}
		if j.ready == nil {
			continue
		}
		if err := j.ready(); err != nil {
			return err
		}
	}
	return nil
}

// submit submits the commands of a job.
func (m *machine) submit(j *job) error {
	j.err = nil
	for _, c := range j.commands {
		m.result.count(c)
		err := m.drv.Submit(c, func(got driver.Completion, err error) {
			if m.behindReset() && !errors.Is(err, driver.ErrReset) {
				err = errBehindReset
			}
			if j.err == nil {
				j.last, j.err = got, err
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// settle evaluates the outcomes of jobs and returns the jobs to repeat.
func (m *machine) settle(jobs []*job, before mark) (again []*job, err error) {
	tainted := false
	repeated := m.mark().repeated > before.repeated
	for _, j := range jobs {
		if j.err == nil && j.rows && tainted {
			j.err = errRows
		}
		if j.err == nil {
			j.err = m.verify(j)
		}
		if j.err == nil {
			if err := m.end(j, before); err != nil {
				return nil, fmt.Errorf("%v: %w", j.commands, err)
			}
			continue
		}
		if !survivable(j.err, tainted || repeated) {
			return nil, j.err
		}
		tainted = tainted || j.rows
		if err := m.undo(j); err != nil {
			return nil, err
		}
		again = append(again, j)
	}
	m.result.again += len(again)
	if tainted {
		return again, m.takeRows()
	}
	return again, nil
}

// survivable reports whether a job may be repeated after err. With mixed, a command may have been
// refused because an earlier row was not consumed, or because a command was repeated among others.
func survivable(err error, mixed bool) bool {
	var refused *driver.StatusError
	if mixed && errors.As(err, &refused) {
		switch refused.Status {
		case arch.StatusRowsFull, arch.StatusNoRow, arch.StatusRowsAhead, arch.StatusNoVector:
			return true
		}
	}
	return driver.Survivable(err) || errors.Is(err, errBehindReset) || errors.Is(err, errRows)
}

// verify compares the checksum of the data that a job has written with the contents of memory.
func (m *machine) verify(j *job) error {
	return m.drv.Verify(j.last, func(add func([]byte)) error {
		for _, w := range j.written() {
			p := make([]byte, w.n)
			if err := w.Read(w.at, p); err != nil {
				return err
			}
			add(p)
		}
		return nil
	})
}

// end finishes a job that the accelerator has completed. It checks the values, the contents of
// memory and the time.
func (m *machine) end(j *job, before mark) error {
	where := j.written()
	if err := j.done(j.last); err != nil {
		return err
	}
	for _, w := range where {
		if err := w.check(w.at, w.n); err != nil {
			return err
		}
	}
	took := m.server.Kernel.Now() - j.begun
	if took > longest {
		return fmt.Errorf("took %v, expected at most %v", took, longest)
	}
	if m.mark() != before {
		m.result.longest = max(m.result.longest, took)
	}
	return nil
}

// undo restores the memory that a failed job may have written, as far as later jobs depend on it.
func (m *machine) undo(j *job) error {
	for _, w := range j.written() {
		if err := w.restore(w.at, w.n); err != nil {
			return err
		}
	}
	if j.commands[0].Opcode == arch.Learn && !m.behindReset() {
		return m.drv.Reset(j.err) // it may have learned from a part of the inputs
	}
	return nil
}
