package pcie

import (
	"errors"
	"fmt"
)

// ErrMalformed is wrapped by errors about a TLP that violates its own format. A receiver drops such
// a TLP and reports a fatal error (2.3).
var ErrMalformed = errors.New("malformed TLP")

// ErrUnexpected is wrapped by errors about a completion that does not match its request. A receiver
// drops and counts such a completion (2.3.2).
var ErrUnexpected = errors.New("unexpected completion")

func malformed(format string, a ...any) error {
	return fmt.Errorf("pcie: %w: %s", ErrMalformed, fmt.Sprintf(format, a...))
}

func unexpected(format string, a ...any) error {
	return fmt.Errorf("pcie: %w: %s", ErrUnexpected, fmt.Sprintf(format, a...))
}

// Boundary is the alignment, in bytes, that no memory request may cross (2.2.7).
const Boundary = 4096

// Check checks the rules of a TLP that go beyond its encoding: byte enables, the 4 KiB boundary,
// and fields that configuration requests must not use. The payload must have at most mps bytes, and
// a read at most mrrs bytes; a limit of 0 is not checked. Errors wrap [ErrMalformed].
func (t *TLP) Check(mps, mrrs int) error {
	if t.Kind.HasData() && mps > 0 && 4*t.Length > mps {
		return malformed("%v with %d bytes of payload, expected at most %d", t.Kind, 4*t.Length, mps)
	}
	switch t.Kind {
	case MRd, MWr:
		if t.Kind == MRd && mrrs > 0 && 4*t.Length > mrrs {
			return malformed("MRd of %d bytes, expected at most %d", 4*t.Length, mrrs)
		}
		if end := t.Addr%Boundary + 4*uint64(t.Length); end > Boundary {
			return malformed("%v of %d bytes at %#x crosses a 4 KiB boundary", t.Kind, 4*t.Length, t.Addr)
		}
		return checkEnables(t)
	case CfgRd0, CfgWr0, CfgRd1, CfgWr1:
		// (2.2.7)
		if t.Length != 1 || t.LastBE != 0 || t.TC != 0 || t.Attr != 0 || t.AT != 0 {
			return malformed("%v of %d DWs with last byte enables %04b, traffic class %d, attributes %03b, address type %d, expected one DW and all else 0",
				t.Kind, t.Length, t.LastBE, t.TC, t.Attr, t.AT)
		}
	case CplD:
		// (2.2.9): a completion must not exceed the bytes still owed.
		if most := DWs(uint64(t.LowerAddr), t.ByteCount); t.Length > most {
			return malformed("CplD of %d DWs for %d bytes owed at lower address %#x, expected at most %d DWs",
				t.Length, t.ByteCount, t.LowerAddr, most)
		}
	}
	return nil
}
