package link

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/pcie"
)

// Window is an address range that a device claims.
type Window struct {
	Base, Size uint64
}

// Contains reports whether addr is in the window.
func (w Window) Contains(addr uint64) bool { return addr-w.Base < w.Size }

func (w Window) String() string { return fmt.Sprintf("%#x+%#x", w.Base, w.Size) }

func (w Window) overlaps(o Window) bool { return w.Contains(o.Base) || o.Contains(w.Base) }

// Device can be attached below a root complex or a switch.
type Device interface {
	Receiver
	// ID returns the function's requester and completer ID, which is unique in a system.
	ID() pcie.ID
	// Windows returns the address ranges that the device claims. They must not overlap the windows
	// of another device.
	Windows() []Window
	// Attached passes the device its port. It is called once.
	Attached(p *Port)
}

// Counters counts the errors that a root complex, switch or device has detected. The fields are the
// error sources of 6.2.
type Counters struct {
	Unsupported uint64 // requests without a target
	Unexpected  uint64 // completions without a matching request
	Malformed   uint64 // TLPs that violate a rule
	Poisoned    uint64 // payloads marked as bad, not used
	Timeouts    uint64 // reads that were not completed in time
}
