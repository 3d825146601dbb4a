package driver

import "errors"

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
	return errors.Join(err, d.reset())
}
