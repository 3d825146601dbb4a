package gosim

import (
	"errors"
	"fmt"
	"go/token"

	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// File is a generated file.
type File struct{ Name, Text string }

// Generate makes the files of a Go package with this name from d. The error reports
// a name that other packages cannot import, lists what is wrong with a
// design that elaboration has not checked, or is a guard.Error: a mistake of the generator.
func Generate(d *ir.Design, pkg string) (files []File, err error) {
	defer guard.Recover(func() string { return "of the model" }, &err)
	if err := CheckName(pkg); err != nil {
		return nil, err
	}
	p, err := plan.New(d, nil)
	if err != nil {
		return nil, err
	}
	return formatted(&generator{Plan: p, design: d, pkg: pkg})
}

// CheckName returns what is wrong with the name of a package.
func CheckName(pkg string) error {
	if !token.IsIdentifier(pkg) || pkg == "_" || pkg == "main" {
		return fmt.Errorf("gosim: %q is not the name of a Go package that can be imported", pkg)
	}
	return nil
}

// MaxCopies is the greatest number of copies of a design in a model, as many as the longest vectors have lanes. More
// are several models, one after the other, as the state of one stays in a processor's caches then.
const MaxCopies = 64

// CheckCopies returns what is wrong with a number of copies.
func CheckCopies(n int) error {
	if n < 2 || n > MaxCopies {
		return fmt.Errorf("gosim: %d copies; there can be 2 to %d in a model, and any number in a batch of models", n, MaxCopies)
	}
	return nil
}

// GenerateCopies makes a package as Generate does, of n copies of d that run side by side:
// a lane of every value for each copy. Ports are arrays by copy.
func GenerateCopies(d *ir.Design, n int, pkg string) (files []File, err error) {
	defer guard.Recover(func() string { return "of the copies" }, &err)
	if err := errors.Join(CheckName(pkg), CheckCopies(n)); err != nil {
		return nil, err
	}
	c, p, err := copiesOf(d, n)
	if err != nil {
		return nil, err
	}
	return formatted(&generator{Plan: p, design: d, pkg: pkg, copies: c})
}
