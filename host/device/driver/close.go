package driver

import (
	"errors"
	"fmt"
)

// ErrClosed is the error of operations on a closed driver.
var ErrClosed = errors.New("driver: closed")

// Close waits for the commands in the ring and resets the device, which then no longer accesses the
// driver's memory. Afterwards no command can be submitted. Close returns the errors of the wait and
// of the reset.
func (d *Driver) Close() error {
	if d.closed {
		return ErrClosed
	}
	err := d.Drain()
	d.closed = true
	return errors.Join(err, d.quiesce())
}

// quiesce resets the device. If retries are enabled, it tries the recovery levels from the mildest
// on.
func (d *Driver) quiesce() error {
	if d.opts.Retries == 0 {
		return d.reset()
	}
	var errs []error
	for _, r := range levels {
		err := r.reset(d)
		if err == nil {
			err = d.reset()
		}
		if err == nil {
			return nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", r.name, err))
	}
	return fmt.Errorf("driver: the device cannot be reset: %w", errors.Join(errs...))
}
