package pcie

// Class is the flow-control class of a TLP (2.6.1).
type Class uint8

// Flow-control classes.
const (
	Posted     Class = iota // memory writes and messages
	NonPosted               // reads and configuration writes
	Completion              // completions
	Classes                 // number of classes
)

func (c Class) String() string {
	if c < Classes {
		return [Classes]string{"posted", "non-posted", "completion"}[c]
	}
	return "no class"
}

// Class returns the flow-control class of the TLP.
func (t *TLP) Class() Class {
	switch t.Kind {
	case MRd, CfgRd0, CfgWr0, CfgRd1, CfgWr1:
		return NonPosted
	case Cpl, CplD:
		return Completion
	}
	return Posted
}

// DataCredits returns the number of data credits that the TLP takes, in units of 16 bytes. In
// addition, every TLP takes one header credit (2.6.1).
func (t *TLP) DataCredits() int { return (len(t.Data) + 15) / 16 }

// Passing defines whether a TLP may overtake an earlier one (2.4.1).
type Passing uint8

// Values of [Passing].
const (
	MustNot Passing = iota // must stay behind
	May                    // allowed but not required
	Must                   // must be able to pass, or the system can deadlock
)

// MayPass implements the ordering table of 2.4.1 for two TLPs of the same traffic class. TLPs of
// different traffic classes are unordered.
func MayPass(later, earlier *TLP) Passing {
	if later.TC != earlier.TC {
		return May
	}
	row, col := later.Class(), earlier.Class()
	switch {
	case col == Posted:
		relaxed := later.Attr&RelaxedOrdering != 0 && row != NonPosted
		independent := later.Attr&IDOrdering != 0 && later.source() != earlier.source()
		if relaxed || independent {
			return May
		}
		return MustNot
	case col == NonPosted:
		if row == NonPosted {
			return May
		}
		return Must
	case row == Completion && later.Requester == earlier.Requester && later.Tag == earlier.Tag:
		return MustNot // completions of one read stay in order
	}
	return May
}

// source returns the ID of the function that sent the TLP.
func (t *TLP) source() ID {
	if t.Class() == Completion {
		return t.Completer
	}
	return t.Requester
}
