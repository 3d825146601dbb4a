package hw

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Error is one mistake in a description.
type Error struct {
	ID     string // stable; listed in the package documentation
	Module string // name of the module
	Text   string
	Pos    ir.Pos
	of     *ir.Module // named at the end of the elaboration; nil if none was built
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s: [%s] %s", e.Pos, e.Module, e.ID, e.Text)
}

func newError(pos ir.Pos, id, module, format string, args ...any) *Error {
	return &Error{ID: id, Module: module, Text: fmt.Sprintf(format, args...), Pos: pos}
}

// fatal is the panic value for a mistake after which a description cannot continue. Elaborate
// recovers it.
type fatal struct{ errs []*Error }

// errorList collects the mistakes of one elaboration.
type errorList struct{ list []*Error }

func (l *errorList) add(e *Error) { l.list = append(l.list, e) }

// err joins the errors without duplicates, or returns nil. Mistakes in parameters precede the
// others, because the others may be consequences. Both groups are sorted by position.
func (l *errorList) err() error {
	type entry struct {
		err    *Error
		frames []ir.Frame
		text   string
	}
	entries := make([]entry, len(l.list))
	for i, e := range l.list {
		entries[i] = entry{e, e.Pos.Frames(), e.Error()}
	}
	slices.SortStableFunc(entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(rank(a.err), rank(b.err)), slices.CompareFunc(a.frames, b.frames, compareFrames), cmp.Compare(a.text, b.text))
	})
	var out []error
	for i, e := range entries {
		if i == 0 || e.text != entries[i-1].text {
			out = append(out, e.err)
		}
	}
	return errors.Join(out...)
}

func rank(e *Error) int {
	if e.ID == "param" {
		return 0
	}
	return 1
}

func compareFrames(a, b ir.Frame) int {
	return cmp.Or(cmp.Compare(a.Package, b.Package), cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
}
