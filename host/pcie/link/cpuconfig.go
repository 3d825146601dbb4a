package link

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// ConfigError reports a failed configuration request of the CPU.
type ConfigError struct {
	Function pcie.ID
	Register int
	Code     Error
}

func (e *ConfigError) Error() string {
	return fmt.Sprintf("link: configuration request for register %#x of %v: %v", e.Register, e.Function, e.Code)
}

// ConfigRead reads the DW at offset at, a multiple of 4, in the configuration space of a function.
// It runs the kernel until the request is complete and must not be called from within an event. A
// failure returns a [*ConfigError] and all ones as the value, also if the function does not exist.
func (rc *RootComplex) ConfigRead(id pcie.ID, at int) (uint32, error) {
	b, err := rc.configure(pcie.NewConfigRead(rc.id, 0, id, at, 0xf))
	if err != nil {
		return math.MaxUint32, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// ConfigWrite writes the enabled bytes of the DW at offset at, a multiple of 4, and returns when
// they are written. Errors are as for [RootComplex.ConfigRead].
func (rc *RootComplex) ConfigWrite(id pcie.ID, at int, v uint32, enables uint8) error {
	_, err := rc.configure(pcie.NewConfigWrite(rc.id, 0, id, at, v, enables))
	return err
}

// configure performs a configuration request. If the function is not directly on the root port's
// link, the request is of type 1.
func (rc *RootComplex) configure(t *pcie.TLP) ([]byte, error) {
	if t.Addr > 0xffc || t.Addr&3 != 0 {
		return nil, fmt.Errorf("link: configuration register %#x, expected a multiple of 4 below 0x1000", t.Addr)
	}
	c := &configAccess{}
	failed := &ConfigError{Function: t.Completer, Register: int(t.Addr), Code: UnsupportedRequest}
	p := rc.portOfFunction(t.Completer)
	if p == nil || !p.link.up {
		return nil, failed
	}
	if err := rc.k.Run(rc.reads.ready); err != nil {
		return nil, err
	}
	if p.below() != t.Completer&^7 {
		t.Kind += pcie.CfgRd1 - pcie.CfgRd0
	}
	t.Tag = rc.reads.free.Pop()
	rc.reads.send(p, t, rc.cfg.Memory.RCB, rc.cfg.Memory.MPS, c)
	if err := rc.k.Run(func() bool { return c.ended }); err != nil {
		return nil, err
	}
	if c.code != OK {
		failed.Code = c.code
		return nil, failed
	}
	return c.got, nil
}

// configAccess is a configuration request of the CPU.
type configAccess struct {
	got   []byte
	ended bool
	code  Error
}

func (c *configAccess) data(b []byte) { c.got = b }
func (c *configAccess) done(e Error)  { c.code, c.ended = e, true }
