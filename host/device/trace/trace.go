package trace

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Role classifies the purpose of a TLP. A completion inherits the role of its request.
type Role string

// Roles of TLPs. The roles of the device's own requests concern host or GPU memory.
const (
	RegisterRead  Role = "register read"
	RegisterWrite Role = "register write"
	Doorbell      Role = "doorbell"
	MSIXTable     Role = "MSI-X table"
	ConfigRead    Role = "configuration read"
	ConfigWrite   Role = "configuration write"
	CommandFetch  Role = "command fetch"
	DataRead      Role = "data read"
	DataWrite     Role = "data write"
	Completion    Role = "completion entry"
	Interrupt     Role = "interrupt"
	OtherRead     Role = "read"  // outside the device
	OtherWrite    Role = "write" // outside the device
	Unexpected    Role = "unexpected completion"
)

// Event is a packet of a capture. A TLP includes the delay from a preceding delay packet.
type Event struct {
	capture.Packet
	Number   int      // in the capture, from 1, as in Wireshark
	Role     Role     // of a TLP other than a message; otherwise empty
	Request  int      // number of the request that a completion answers, or 0
	Command  *Command // the command that the packet belongs to, or nil
	Register string   // name of the accessed register, or offset of a configuration register; or empty
	Value    *uint32  // of the register; nil if unknown
}

// Command is a command of the accelerator and the events of its lifecycle. Numbers are event
// numbers, 0 for a missing event.
type Command struct {
	arch.Command
	ID                       uint32
	Doorbell, Fetch, Fetched int
	Completed, Interrupt     int
	Status                   arch.Status
	Value0, Value1           uint32
}

// String formats the command as in a program, without symbols.
func (c *Command) String() string {
	if c.Fetched == 0 {
		return "a command that did not arrive"
	}
	return c.Command.String()
}

// Transfer is a request of the device or the host that expects a completion: a read or a
// configuration write.
type Transfer struct {
	Role       Role
	Request    int // event number of the request
	Start, End des.Time
	Bytes      int
	Ended      bool // fully answered, at End
	GivenUp    bool // not fully answered, and at End its tag was reused or the device was set up again
}

// Trace is a decoded capture.
type Trace struct {
	Function *capture.Function // nil if the capture contains no function packet
	Events   []Event
	Commands []*Command
	Reads    []Transfer
}

// Read decodes a capture. It returns the errors of package capture. With a [*capture.TornError] it
// also returns the trace of the complete packets.
func Read(r io.Reader) (*Trace, error) {
	c, err := capture.NewReader(r)
	if err != nil {
		return nil, err
	}
	t := &Trace{}
	d := newDevice(t)
	for {
		p, err := c.Next()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if torn := (*capture.TornError)(nil); errors.As(err, &torn) {
			return t, err
		}
		if err != nil {
			return nil, err
		}
		t.Events = append(t.Events, Event{Packet: p, Number: len(t.Events) + 1})
		d.see(&t.Events[len(t.Events)-1])
	}
}

// at returns the time of an event.
func (t *Trace) at(number int) des.Time { return t.Events[number-1].Time }

// isCompletion reports whether a kind is a completion.
func isCompletion(k pcie.Kind) bool { return k == pcie.Cpl || k == pcie.CplD }
