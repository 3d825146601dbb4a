package faults

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// stretch is so many commands on a machine.
type stretch struct {
	seed     uint64
	number   int
	rate     float64
	hardware bool
	commands int
}

// run runs the stretch. The result is there in any case.
func (s stretch) run() (*result, error) {
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

// job is some commands, one after the other, that can be done again together.
type job struct {
	commands []arch.Command
	// rows tells that the commands work on rows ahead, and so depend on those of the
	// same sort before them.
	rows bool
	// ready prepares the job before it is submitted; nil: there is nothing to do.
	ready func() error
	// written is where the last command writes.
	written func() []part
	// done takes the completion of the last command and notes what memory must hold.
	done func(c driver.Completion) error

	begun des.Time // first submission
	last  driver.Completion
	err   error // first of its commands
}

// Things that make a job be done again, besides the driver's errors.
var (
	errBehindReset = errors.New("the registers were lost in a reset")
	errRows        = errors.New("a row before was not taken")
)

// mark tells whether something was done about faults since another.
type mark struct{ repeated, recoveries int }

func (m *machine) mark() mark { return mark{m.drv.Survived().Repeated, m.result.sum()} }

// mostTries is how often a round is tried.
const mostTries = 50

// round does jobs, all in flight together, until each has had its effect.
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

// prepare makes the accelerator and the jobs ready.
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

// settle takes the outcomes of jobs and gives those that are to be done again.
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

// survivable tells that a job may be done again behind an error. Some are refused behind
// a row that was not taken, and if a command is repeated in the middle of others.
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

// verify compares the sum of what a job has written with what is there.
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

// end ends a job that the accelerator says is done: memory is as it must be.
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

// undo makes memory as it was before a job, as far as anything will depend on it.
func (m *machine) undo(j *job) error {
	for _, w := range j.written() {
		if err := w.restore(w.at, w.n); err != nil {
			return err
		}
	}
	if j.commands[0].Opcode == arch.Learn && !m.behindReset() {
		return m.drv.Reset(j.err) // as it may have learned a part
	}
	return nil
}
