package fault

import "slices"

// Kind is the type of a fault.
type Kind string

// The kinds above the data link layer. A fault of a read affects the first completion of the read.
const (
	Timeout    Kind = "timeout"    // no completion arrives
	Late       Kind = "late"       // the completion arrives after the completion timeout
	UR         Kind = "ur"         // the read ends with status Unsupported Request
	CA         Kind = "ca"         // the read ends with status Completer Abort
	Poison     Kind = "poison"     // the payload is marked as poisoned
	ECRC       Kind = "ecrc"       // the ECRC is wrong
	Malformed  Kind = "malformed"  // the TLP breaks a rule of its format
	Unexpected Kind = "unexpected" // an additional, unrequested completion arrives
	ByteCount  Kind = "byte_count" // the completion's byte count is wrong
	Corrupt    Kind = "corrupt"    // a bit of the payload is wrong, and the link detects nothing
	Drop       Kind = "drop"       // the write is lost
	Duplicate  Kind = "duplicate"  // the write arrives twice
	Overflow   Kind = "overflow"   // the receiver's buffer overflows: the TLP is lost, and the link goes down
	LinkDown   Kind = "link_down"  // the link goes down until a bus reset
	FLR        Kind = "flr"        // another agent resets the function
)

// The kinds of wire faults. The data link layer corrects them.
const (
	BitError       Kind = "bit_error"       // a bit is wrong; the probability is per bit
	LostTLP        Kind = "lost_tlp"        // a TLP is lost
	RepeatedTLP    Kind = "repeated_tlp"    // a TLP arrives twice with the same sequence number
	LostACK        Kind = "lost_ack"        // an ACK is lost
	LostNAK        Kind = "lost_nak"        // a NAK is lost
	ReplayTimeout  Kind = "replay_timeout"  // all acknowledgements are lost until the replay timer expires
	ReplayRollover Kind = "replay_rollover" // all TLPs are lost until the link is retrained
)

// Place is the traffic that a fault affects.
type Place string

// The places: reads and writes by the accelerator, reads and writes by the host, and the wires.
const (
	Command    Place = "command"    // reads of command entries
	DMARead    Place = "dma_rd"     // all other reads of host memory
	GPURead    Place = "gpu_rd"     // reads of GPU memory
	DMAWrite   Place = "dma_wr"     // writes to host memory except completion entries
	Completion Place = "completion" // writes of completion entries
	VectorWr   Place = "vector_wr"  // writes to GPU memory
	Interrupt  Place = "interrupt"  // interrupts
	Register   Place = "register"   // reads of registers by the host
	Doorbell   Place = "doorbell"   // the driver's writes of its ring indices
	WireDown   Place = "wire_down"  // the wires to the accelerator, below the data link layer
	WireUp     Place = "wire_up"    // the wires from the accelerator, below the data link layer
)

// Places returns the places above the data link layer, except Register: the project's driver
// recovers from all faults there.
func Places() []Place {
	return []Place{Command, DMARead, GPURead, DMAWrite, Completion, VectorWr, Interrupt, Doorbell}
}

// Wires returns the places below the data link layer.
func Wires() []Place { return []Place{WireDown, WireUp} }

// allPlaces returns the places above and below the data link layer.
func allPlaces() []Place { return append(append(Places(), Register), Wires()...) }

// wires reports whether the place is below the data link layer.
func (p Place) wires() bool { return p == WireDown || p == WireUp }

// Kinds returns the kinds of faults that can occur at the place.
func (p Place) Kinds() []Kind {
	switch p {
	case Command:
		return append(DMARead.Kinds(), Corrupt)
	case DMARead, GPURead, Register:
		return []Kind{Timeout, Late, UR, CA, Poison, ECRC, Malformed, Unexpected, ByteCount, Overflow, LinkDown, FLR}
	case Completion:
		return append(DMAWrite.Kinds(), Corrupt)
	case DMAWrite, VectorWr:
		return []Kind{Drop, Duplicate, Poison, ECRC, Malformed, Overflow, LinkDown, FLR}
	case Interrupt, Doorbell:
		return []Kind{Drop, Duplicate}
	case WireDown, WireUp:
		return []Kind{BitError, LostTLP, RepeatedTLP, LostACK, LostNAK, ReplayTimeout, ReplayRollover}
	}
	return nil
}

// Kinds returns the kinds above the data link layer, sorted by name.
func Kinds() []Kind { return kindsAt(Places()) }

// kindsAt returns the kinds that can occur at some places, sorted by name.
func kindsAt(places []Place) []Kind {
	var list []Kind
	for _, p := range places {
		for _, k := range p.Kinds() {
			if !slices.Contains(list, k) {
				list = append(list, k)
			}
		}
	}
	slices.Sort(list)
	return list
}
