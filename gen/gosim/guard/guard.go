// Package guard turns internal errors of the generator of models into Go errors.
package guard

import (
	"fmt"
	"runtime/debug"
)

// Error is an internal error of the generator, not of the design: a violated invariant or a panic.
type Error struct {
	Where string // stage of the generator, and the operator that it was working on
	Cause error
	Stack []byte // of a panic
}

func (e *Error) Error() string { return fmt.Sprintf("gosim: internal error %s: %v", e.Where, e.Cause) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Recover, called by defer, turns a panic into an Error. A program that generates models survives
// such a mistake and reports the operator concerned.
func Recover(where func() string, err *error) {
	r := recover()
	if r == nil {
		return
	}
	cause, ok := r.(error)
	if !ok {
		cause = fmt.Errorf("%v", r)
	}
	*err = &Error{Where: where(), Cause: cause, Stack: debug.Stack()}
}
