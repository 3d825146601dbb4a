package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// Window is a range of addresses that a device answers to.
type Window struct {
	Base, Size uint64
}

// Contains reports whether addr lies in the window.
func (w Window) Contains(addr uint64) bool { return addr-w.Base < w.Size }

func (w Window) String() string { return fmt.Sprintf("%#x+%#x", w.Base, w.Size) }

func (w Window) overlaps(o Window) bool { return w.Contains(o.Base) || o.Contains(w.Base) }

// Device is what can be attached below a root complex or a switch.
type Device interface {
	Receiver
	// ID is the function's requester and completer ID, unique in a system.
	ID() pcie.ID
	// Windows are the addresses that the device claims; they must not overlap
	// those of another device.
	Windows() []Window
	// Attached gives the device its port, once.
	Attached(p *Port)
}

// Counters count what a root complex, switch or device has met that it should
// not have. The fields are the error sources of 6.2.
type Counters struct {
	Unsupported uint64 // requests to nowhere
	Unexpected  uint64 // completions nobody waits for
	Malformed   uint64 // TLPs that break a rule
	Poisoned    uint64 // payloads marked as bad, not used
	Timeouts    uint64 // reads that were not completed in time
}
