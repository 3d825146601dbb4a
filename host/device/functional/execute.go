package functional

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// execute executes the current command: it loads the command's words, if any, and then applies the
// model.
func (a *Accel) execute() {
	c := a.now.cmd
	if status := a.model.Dispatch.Check(c); status != arch.StatusOK {
		a.now.status = status
		a.at(a.edge()+finishCycles, a.complete)
		return
	}
	switch c.Opcode {
	case arch.Learn, arch.Classify, arch.Update:
		a.at(a.csrs.ready, func() { a.reads.load(a.model.Dispatch.Loads(c), a.loaded) })
	case arch.HotSet:
		a.at(a.csrs.ready, a.hotSet)
	default:
		a.run(nil)
	}
}

// loaded continues with the loaded words, unless the load failed.
func (a *Accel) loaded(words []uint32) {
	switch {
	case a.failure() != 0:
		a.over()
	case a.now.cmd.Opcode == arch.Update:
		a.run(words)
	default:
		a.sweep(words)
	}
}

// run performs the rest of the command: row reads, operations and writes.
func (a *Accel) run(words []uint32) {
	c := a.now.cmd
	e := a.model.Run(c, words, nil)
	a.now.values, a.now.words = e.Values, e.Status
	a.reads.request(e.Rows, a.walk(e))
	a.reducer.queue(e.Ops)
	switch c.Opcode {
	case arch.DMARead, arch.GPURead, arch.SWrite:
		a.at(a.edge()+finishCycles, a.complete)
	default:
		a.over()
	}
}

// over marks the command as complete except for pending operations and writes.
func (a *Accel) over() {
	a.now.over = true
	a.settle()
}

// settle ends the command if it is over and no operations or writes are pending.
func (a *Accel) settle() {
	if !a.now.over || a.reads.waiting() || a.reducer.busy() || a.writes.busy() {
		return
	}
	a.now.over = false
	a.at(max(a.edge(), a.now.until, a.reducer.free, a.writes.left)+settleCycles, a.complete)
}

// failure returns the error that the completion reports. Errors of loads take precedence over
// errors of rows, and errors of rows over errors of writes.
func (a *Accel) failure() arch.Status {
	for _, e := range []arch.DMAError{a.model.Reads.Error(), a.reducer.failed, a.writes.failed} {
		if e != 0 {
			return arch.Status(e)
		}
	}
	return 0
}

// hotSet executes the command that writes the hot set.
func (a *Accel) hotSet() {
	e := a.model.Run(a.now.cmd, nil, nil)
	a.now.values = e.Values
	each, all := a.readOut(len(e.Writes))
	a.now.until = a.edge() + 1 + all
	a.writes.queue(e.Writes, each)
	a.over()
}
