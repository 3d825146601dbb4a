package link

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/config"
)

// function returns the function of the endpoint's configuration space.
func (c EndpointConfig) function() config.Function {
	f := config.DefaultFunction()
	f.BARSize, f.Table, f.Pending = c.BAR.Size, c.MSIXOffset, c.MSIXOffset+MSIXPending
	f.Identity, f.Serial = c.Identity, c.Serial
	return f
}

// configure completes a configuration request. It never returns CRS: the function is ready
// immediately after power-up and after a reset.
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

// refuse counts an unsupported request and completes it with UR if it is not posted.
func (e *Endpoint) refuse(t *pcie.TLP) {
	e.counters.Unsupported++
	e.report(config.UnsupportedRequest, t)
	if t.Class() == pcie.NonPosted {
		addr, n := t.Span()
		e.port.Send(pcie.NewFailure(t, e.cfg.ID, addr, n, pcie.UR), nil)
	}
}

// configured applies the host's settings.
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

// tellCore reports the current permissions to the core.
func (e *Endpoint) tellCore() {
	e.core.Configured(e.set.BusMaster, e.port == nil || e.port.link.up)
}

// linkDown and linkUp are called by the link.
func (e *Endpoint) linkDown(*Port) { e.tellCore() }
func (e *Endpoint) linkUp(*Port)   { e.tellCore() }

// tags returns the number of tags that the host allows.
func (e *Endpoint) tags() int { return Straps{ExtendedTags: e.set.ExtendedTags}.Tags() }

// retags reports whether the number of tags will change as soon as none is in use.
func (e *Endpoint) retags() bool { return len(e.reads.slots) != e.tags() }

// freed continues after a tag has become free.
func (e *Endpoint) freed() {
	if e.retags() && e.reads.quiet() {
		e.reads.setTags(e.tags())
	}
	e.issueReads()
}

// PowerOn resets the configuration space to its state after power-up; the endpoint then waits for
// enumeration. It must be called before the endpoint is attached.
func (e *Endpoint) PowerOn() {
	e.space.PowerOn()
	e.configured()
}

// FLR performs a function-level reset, like a write to Device Control. All descriptors end with
// [FLR], register accesses in progress are not completed, the interrupt table is masked, and the
// core is reset. The function is inactive until the host configures it again. Methods of the core
// must not call FLR.
func (e *Endpoint) FLR() {
	e.space.FLR()
	e.resetVectors()
	e.configured()
	e.regs.reset()
	e.dropReads()
	e.dropWrites()
	e.core.Reset()
}

// Straps returns the current settings.
func (e *Endpoint) Straps() Straps {
	s := &e.set
	return Straps{MPS: s.MPS, MRRS: s.MRRS, RCB: s.RCB, ExtendedTags: s.ExtendedTags, ECRC: s.GenerateECRC, BusMaster: s.BusMaster}
}

// SetStraps configures the function in zero simulated time, as a host does with configuration
// writes. It applies the straps, the BAR at its base address, and enables memory and interrupts. A
// change of the number of tags takes effect when none is in use. SetStraps fails if s is out of
// range.
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

// capability returns the offset of a capability by its ID. It panics if there is none; callers know
// the function.
func capability(dw func(at int) uint32, id int) int {
	for at := int(dw(config.Capabilities) & 0xfc); at != 0; at = int(dw(at) >> 8 & 0xfc) {
		if int(dw(at)&0xff) == id {
			return at
		}
	}
	panic(fmt.Sprintf("link: no capability %#x", id))
}

// extended returns the offset of an extended capability by its ID, or 0 if there is none.
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
