package fault

import "slices"

// Kind is what goes wrong.
type Kind string

// The kinds. Those of reads are done to the first completion of a read.
const (
	Timeout    Kind = "timeout"    // there is no completion
	Late       Kind = "late"       // it comes after the completion timeout
	UR         Kind = "ur"         // the read is completed as an unsupported request
	CA         Kind = "ca"         // or aborted by the completer
	Poison     Kind = "poison"     // the payload is marked as bad
	ECRC       Kind = "ecrc"       // the digest is wrong
	Malformed  Kind = "malformed"  // the TLP breaks a rule of its format
	Unexpected Kind = "unexpected" // another completion comes, which nobody has asked for
	ByteCount  Kind = "byte_count" // the completion's byte count is wrong
	Corrupt    Kind = "corrupt"    // a bit of the payload is wrong, and nothing on the link tells
	Drop       Kind = "drop"       // the write gets lost
	Duplicate  Kind = "duplicate"  // the write comes twice
	Overflow   Kind = "overflow"   // the receiver has no room: the TLP is lost, and the link goes down
	LinkDown   Kind = "link_down"  // the link goes down, until somebody resets the bus
	FLR        Kind = "flr"        // somebody else resets the function
)

// The kinds of the wires. The data link layer corrects them.
const (
	BitError       Kind = "bit_error"       // a bit is wrong; a probability is that of each bit
	LostTLP        Kind = "lost_tlp"        // a TLP gets lost
	RepeatedTLP    Kind = "repeated_tlp"    // a TLP comes twice, with the same number
	LostACK        Kind = "lost_ack"        // an ACK gets lost
	LostNAK        Kind = "lost_nak"        // a NAK gets lost
	ReplayTimeout  Kind = "replay_timeout"  // all acknowledgements get lost until the replay timer runs out
	ReplayRollover Kind = "replay_rollover" // all TLPs get lost until the link is trained again
)

// Place is where it goes wrong.
type Place string

// The places: reads and writes by the accelerator, and writes by the host.
const (
	Command    Place = "command"    // reads of command entries
	DMARead    Place = "dma_rd"     // all other reads of host memory
	GPURead    Place = "gpu_rd"     // reads of GPU memory
	DMAWrite   Place = "dma_wr"     // writes to host memory but for completions
	Completion Place = "completion" // writes of completion entries
	VectorWr   Place = "vector_wr"  // writes to GPU memory
	Interrupt  Place = "interrupt"  // writes into the interrupt window
	Doorbell   Place = "doorbell"   // the driver's writes of its ring indices
	WireDown   Place = "wire_down"  // the wires to the accelerator, below the data link layer
	WireUp     Place = "wire_up"    // the wires from it, likewise
)

// Places are those above the data link layer.
func Places() []Place {
	return []Place{Command, DMARead, GPURead, DMAWrite, Completion, VectorWr, Interrupt, Doorbell}
}

// Wires are those below it.
func Wires() []Place { return []Place{WireDown, WireUp} }

// allPlaces are both.
func allPlaces() []Place { return append(Places(), Wires()...) }

// wires reports whether the place is below the data link layer.
func (p Place) wires() bool { return p == WireDown || p == WireUp }

// Kinds are those that there are at a place.
func (p Place) Kinds() []Kind {
	switch p {
	case Command:
		return append(DMARead.Kinds(), Corrupt)
	case DMARead, GPURead:
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

// Kinds are those above the data link layer, in order of their names.
func Kinds() []Kind { return kindsAt(Places()) }

// kindsAt are those at some places.
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
