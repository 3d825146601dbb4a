package driver

import (
	"errors"
	"fmt"
)

// ErrClosed says that the driver was closed.
var ErrClosed = errors.New("driver: closed")

// Close waits for the commands in the ring, and resets the device, which then leaves
// the driver's memory alone. Nothing can be submitted any more. The error is that of
// the wait or the reset.
func (d *Driver) Close() error {
	if d.closed {
		return ErrClosed
	}
	err := d.Drain()
	d.closed = true
	return errors.Join(err, d.quiesce())
}

// quiesce resets the device, with the mildest way that works if faults are to be
// survived.
func (d *Driver) quiesce() error {
	if d.opts.Retries == 0 {
		return d.reset()
	}
	var errs []error
	for _, r := range rungs {
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
