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

// Generate generates the files of a Go package named pkg from d. The error reports an invalid
// package name, lists the problems of a design that elaboration has not checked, or is a
// guard.Error: an internal error of the generator.
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

// CheckName returns an error if a package name is not valid.
func CheckName(pkg string) error {
	if !token.IsIdentifier(pkg) || pkg == "_" || pkg == "main" {
		return fmt.Errorf("gosim: %q is not the name of a Go package that can be imported", pkg)
	}
	return nil
}

// MaxCopies is the maximum number of instances of a design in a model: the number of lanes of the
// longest vectors. More instances need several models, played one after the other, so that the
// state of one model stays in the processor's caches.
const MaxCopies = 64

// CheckCopies returns an error if a number of instances is not valid.
func CheckCopies(n int) error {
	if n < 2 || n > MaxCopies {
		return fmt.Errorf("gosim: %d copies; there can be 2 to %d in a model, and any number in a batch of models", n, MaxCopies)
	}
	return nil
}

// GenerateCopies generates a package like Generate, for n instances of d that run in parallel.
// Every value has a lane for each instance. Ports are arrays indexed by instance.
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
