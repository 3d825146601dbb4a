package ir

import (
	"errors"
	"fmt"
)

// Problem is a mistake that a check found in a design.
type Problem struct {
	ID     string // see hw.Error
	Module string
	Text   string
	Pos    Pos
	Sig    *Signal // the signal whose driver is wrong, or nil
}

func (p Problem) Error() string { return fmt.Sprintf("%s: %s: [%s] %s", p.Pos, p.Module, p.ID, p.Text) }

// Join returns all problems as one error, or nil if there are none.
func Join(problems []Problem) error {
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = p
	}
	return errors.Join(errs...)
}
