package hclfile

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/ui/format"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Line returns the line of an attribute outside of blocks, or 1 if the file does not have it.
func (f *File) Line(attribute string) int {
	if a, ok := f.Body.Attributes[attribute]; ok {
		return a.NameRange.Start.Line
	}
	return 1
}

// Check returns an error with a line for each attribute of block that is out of range. It looks
// for the attributes outside of the file's blocks.
func (f *File) Check(name string, block limits.Block) error {
	var errs []error
	for _, m := range limits.Check(block) {
		errs = append(errs, fmt.Errorf("%s:%d: %w", name, f.Line(m.Attribute), m))
	}
	return format.Mistakes(errs...)
}
