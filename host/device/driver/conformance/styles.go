package conformance

import (
	"errors"
	"math"

	"github.com/hotline-rtl/hotline/host/device/driver"
)

// styles are the two ways in which a read of an unresponsive register can fail.
var styles = []struct {
	name string
	of   func(driver.Device) driver.Device
}{
	{"status", func(d driver.Device) driver.Device { return status{d} }},
	{"all ones", func(d driver.Device) driver.Device { return allOnes{d} }},
}

// status is a device whose reads of unresponsive registers return an error.
type status struct{ driver.Device }

var errNoAnswer = errors.New("conformance: the register does not answer")

// Read32 implements driver.Device.
func (s status) Read32(offset uint64) (uint32, error) {
	v, err := s.Device.Read32(offset)
	if err == nil && v == math.MaxUint32 {
		err = errNoAnswer
	}
	return v, err
}

// Reset implements driver.Resetter.
func (s status) Reset(kind driver.ResetKind) error { return resetOf(s.Device, kind) }

// allOnes is a device whose reads of unresponsive registers return all ones.
type allOnes struct{ driver.Device }

// Read32 implements driver.Device.
func (a allOnes) Read32(offset uint64) (uint32, error) {
	v, err := a.Device.Read32(offset)
	if err != nil {
		v = math.MaxUint32
	}
	return v, nil
}

// Reset implements driver.Resetter.
func (a allOnes) Reset(kind driver.ResetKind) error { return resetOf(a.Device, kind) }

func resetOf(d driver.Device, kind driver.ResetKind) error {
	r, ok := d.(driver.Resetter)
	if !ok {
		return errors.ErrUnsupported
	}
	return r.Reset(kind)
}
