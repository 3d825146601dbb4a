package trace

import (
	"errors"
	"io"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/capture"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Role is what a TLP is for. A completion has that of its request.
type Role string

// Roles of TLPs. Those of the device are between it and the host or a GPU.
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
	OtherRead     Role = "read"  // of what is not the device's
	OtherWrite    Role = "write" // likewise
	Unexpected    Role = "unexpected completion"
)

// Event is a packet of a capture. A TLP has the delay of the packet in front of it.
type Event struct {
	capture.Packet
	Number   int      // in the capture, from 1 on, as in Wireshark
	Role     Role     // of a TLP, but for messages; otherwise empty
	Request  int      // number of the request that a completion answers, or 0
	Command  *Command // that it belongs to, or nil
	Register string   // that is read or written: its name, or its offset if it is a configuration register; or empty
	Value    *uint32  // of the register, unless it is not there
}

// Command is a command of the accelerator on its way. Numbers are those of events,
// 0 where there is none.
type Command struct {
	arch.Command
	ID                       uint32
	Doorbell, Fetch, Fetched int
	Completed, Interrupt     int
	Status                   arch.Status
	Value0, Value1           uint32
}

// String is the command as in a program, without names.
func (c *Command) String() string {
	if c.Fetched == 0 {
		return "a command that did not arrive"
	}
	return c.Command.String()
}

// Transfer is a read that was asked for, by the device or by the host, or a write that
// is answered.
type Transfer struct {
	Role       Role
	Request    int // number of its event
	Start, End des.Time
	Bytes      int
	Ended      bool // all of it was answered, at End
	GivenUp    bool // its tag was used again, or the device set up, at End, without all of the answer
}

// Trace is a capture that was understood.
type Trace struct {
	Function *capture.Function // nil if the capture does not say
	Events   []Event
	Commands []*Command
	Reads    []Transfer
}

// Read reads a capture. Errors are those of the file. With a [*capture.TornError] there
// is a trace, of all that is whole.
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

// at is the time of an event.
func (t *Trace) at(number int) des.Time { return t.Events[number-1].Time }

// isCompletion tells completions from requests.
func isCompletion(k pcie.Kind) bool { return k == pcie.Cpl || k == pcie.CplD }
