package faults

import (
	"errors"
	"math"

	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// behindReset reports whether the accelerator was reset after its registers were written.
func (m *machine) behindReset() bool { return m.drv.Survived().Resets != m.configured }

// bringUp restores an accelerator that was reset: it writes the registers and repeats learning.
// Then it reads the hot set back if the positions of the hot rows are unknown.
func (m *machine) bringUp() error {
	for m.behindReset() {
		err := m.configure()
		if err == nil {
			err = m.learnAnew()
		}
		switch {
		case err == nil || errors.Is(err, driver.ErrReset):
		case !survivable(err, m.behindReset()):
			return err
		default:
			if err := m.drv.Reset(err); err != nil {
				return err
			}
		}
	}
	if m.unread {
		m.unread = false // round calls prepare, which calls bringUp
		return m.round([]*job{m.readHotSet()})
	}
	return nil
}

// configure writes all address registers. It returns the first error.
func (m *machine) configure() error {
	m.configured = m.drv.Survived().Resets
	m.held = [2]*batch{}
	var failed error
	for _, r := range m.registers() {
		m.result.count(r)
		err := m.drv.Submit(r, func(_ driver.Completion, err error) {
			if failed == nil {
				failed = err
			}
		})
		if err != nil {
			return err
		}
	}
	if err := m.drv.Drain(); err != nil {
		return err
	}
	return failed
}

// registers returns the commands that write all registers.
func (m *machine) registers() (list []arch.Command) {
	set := func(register int, v uint64) { list = append(list, driver.SWrite(register, v)) }
	for t, a := range m.tables {
		set(arch.RegTable+t, a.Address())
	}
	for s, table := range tableOf {
		set(arch.RegSlot+s, arch.Slot{Base: id(table, 0), Table: table, First: s == 0 || tableOf[s-1] != table, Last: s == slots-1 || tableOf[s+1] != table}.Bits())
	}
	for g, a := range m.gpu {
		set(arch.RegHot+g, a.hot.Address())
		set(arch.RegPooled+g, a.pooled.Address())
		set(arch.RegGrad+g, a.grad.Address())
		set(arch.RegMailbox+g, a.mailbox.Address())
	}
	set(arch.RegSlots, slots)
	set(arch.RegTables, tables)
	set(arch.RegRowLog2, uint64(math.Log2(float64(m.rowBytes))))
	set(arch.RegGPUs, gpus)
	set(arch.RegScale, uint64(math.Float32bits(m.scale)))
	return list
}

// learnAnew repeats learning on an accelerator that was reset.
func (m *machine) learnAnew() error {
	m.learned, m.before, m.blocks, m.listed = map[uint32]bool{}, nil, map[uint32]uint32{}, false
	for range 3 {
		j := m.learn(0)
		if err := j.ready(); err != nil {
			return err
		}
		m.result.count(j.commands[0])
		got, err := m.drv.Do(j.commands[0])
		if err == nil && m.behindReset() {
			err = errBehindReset
		}
		if err != nil {
			return err
		}
		if err := j.done(got); err != nil {
			return err
		}
	}
	return nil
}

// takeRows consumes the prefetched rows, one after the other.
func (m *machine) takeRows() error {
	for !m.behindReset() {
		take := driver.VAdd(true)
		m.result.count(take)
		_, err := m.drv.Do(take)
		var refused *driver.StatusError
		switch {
		case errors.As(err, &refused) && refused.Status == arch.StatusNoRow:
			return nil
		case err != nil && !driver.Survivable(err) && !m.behindReset():
			return err
		}
	}
	return nil
}
