package link

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// function is what the configuration space says about an endpoint.
func (c EndpointConfig) function() config.Function {
	f := config.DefaultFunction()
	f.BARSize, f.Table, f.Pending = c.BAR.Size, c.MSIXOffset, c.MSIXOffset+MSIXPending
	f.Serial = c.Serial
	return f
}

// configure answers a configuration request. There is no CRS: the function is
// ready when it has power, and after a reset.
func (e *Endpoint) configure(p *Port, t *pcie.TLP) {
	switch {
	case t.Check(0, 0) != nil:
		e.counters.Malformed++
		e.report(config.MalformedTLP, t)
	case t.EP:
		e.counters.Poisoned++
		e.report(config.PoisonedTLP, t)
		p.Send(pcie.NewFailure(t, e.cfg.ID, 0, 4, pcie.UR), nil)
	case t.Kind == pcie.CfgRd1 || t.Kind == pcie.CfgWr1 || t.Completer != e.cfg.ID:
		e.refuse(t)
	case t.Kind == pcie.CfgRd0:
		e.space.SetPending(e.reads.busy > 0)
		p.Send(pcie.NewConfigDone(t, e.cfg.ID, e.space.DW(int(t.Addr))), nil)
	default:
		flr := e.space.SetDW(int(t.Addr), binary.LittleEndian.Uint32(t.Data), t.FirstBE)
		p.Send(pcie.NewConfigDone(t, e.cfg.ID, 0), nil)
		if flr {
			e.FLR()
			return
		}
		e.configured()
	}
}

// refuse counts a request that nothing here answers, with UR if it is not posted.
func (e *Endpoint) refuse(t *pcie.TLP) {
	e.counters.Unsupported++
	e.report(config.UnsupportedRequest, t)
	if t.Class() == pcie.NonPosted {
		addr, n := t.Span()
		e.port.Send(pcie.NewFailure(t, e.cfg.ID, addr, n, pcie.UR), nil)
	}
}

// configured does what the host has written.
func (e *Endpoint) configured() {
	old := e.set
	e.set = e.space.Settings()
	e.reads.timeout = e.cfg.CompletionTimeout
	if t := e.set.Timeout; t != 0 {
		e.reads.timeout = max(0, des.Time(t/time.Nanosecond)*des.Nanosecond)
	}
	if e.port != nil {
		e.port.SetECRC(e.ECRC())
	}
	if old.BusMaster != e.set.BusMaster {
		e.tellCore()
	}
	e.sendVectors()
	e.sendHeld()
	e.freed()
}

// tellCore tells the core what it may do.
func (e *Endpoint) tellCore() {
	e.core.Configured(e.set.BusMaster, e.port == nil || e.port.link.up)
}

// linkDown and linkUp are called by the link.
func (e *Endpoint) linkDown(*Port) { e.tellCore() }
func (e *Endpoint) linkUp(*Port)   { e.tellCore() }

// tags is how many tags the host allows.
func (e *Endpoint) tags() int { return Straps{ExtendedTags: e.set.ExtendedTags}.Tags() }

// retags reports whether another number of tags waits until none is in use.
func (e *Endpoint) retags() bool { return len(e.reads.slots) != e.tags() }

// freed goes on when a tag has become free.
func (e *Endpoint) freed() {
	if e.retags() && e.reads.quiet() {
		e.reads.setTags(e.tags())
	}
	e.issueReads()
}

// PowerOn is power coming to the slot: the configuration space is as a card leaves
// the factory, and the endpoint waits for a host to enumerate it. It happens
// before the endpoint is attached.
func (e *Endpoint) PowerOn() {
	e.space.PowerOn()
	e.configured()
}

// FLR is a function-level reset, as by a write to Device Control: all descriptors
// end with [FLR], register accesses under way get no answer, the interrupt table
// is masked, the core is reset, and the function does nothing until the host has
// set it up again. A method of the core must not call it.
func (e *Endpoint) FLR() {
	e.space.FLR()
	e.resetVectors()
	e.configured()
	e.regs.reset()
	e.dropReads()
	e.dropWrites()
	e.core.Reset()
}

// Straps are the settings in force.
func (e *Endpoint) Straps() Straps {
	s := &e.set
	return Straps{MPS: s.MPS, MRRS: s.MRRS, RCB: s.RCB, ExtendedTags: s.ExtendedTags, ECRC: s.GenerateECRC, BusMaster: s.BusMaster}
}

// SetStraps sets up the function in no time, as a host does with configuration
// writes: the straps, the BAR at its base, memory and interrupts enabled. Another
// number of tags waits until none is in use. The error is that s is out of range.
func (e *Endpoint) SetStraps(s Straps) error {
	if err := s.Check(); err != nil {
		return err
	}
	e.preset(s)
	e.configured()
	return nil
}

func (e *Endpoint) preset(s Straps) {
	for _, w := range setup(s, e.cfg.BAR.Base, func(id int) int { return capability(e.space.DW, id) }) {
		e.space.SetDW(w.at, w.value, w.enables)
	}
	w := digests(extended(e.space.DW, config.AERID), s.ECRC)
	e.space.SetDW(w.at, w.value, w.enables)
}

// capability finds a capability by its id, and panics when there is none: who
// calls it knows the function.
func capability(dw func(at int) uint32, id int) int {
	for at := int(dw(config.Capabilities) & 0xfc); at != 0; at = int(dw(at) >> 8 & 0xfc) {
		if int(dw(at)&0xff) == id {
			return at
		}
	}
	panic(fmt.Sprintf("link: no capability %#x", id))
}

// extended finds an extended capability by its id, and returns 0 if there is none.
func extended(dw func(at int) uint32, id int) int {
	at := config.ExtendedCapabilities
	for range (config.Size - config.ExtendedCapabilities) / 8 { // a list may be a loop
		v := dw(at)
		if int(v&0xffff) == id {
			return at
		}
		if at = int(v >> 20 & 0xffc); at < config.ExtendedCapabilities {
			return 0
		}
	}
	return 0
}
