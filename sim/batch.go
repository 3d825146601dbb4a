package sim

import "errors"

// Batch is an engine that runs many cycles per call. Engines behind a pipe and engines that read
// vector files implement it.
type Batch interface {
	// Ports returns the same list as Simulator.Ports.
	Ports() []Port
	// RunBlock runs len(in)/Format.InWords cycles. The slice in holds their input frames in order;
	// RunBlock fills out with the output frames, sampled before each clock edge. The engine keeps
	// its state between blocks.
	RunBlock(in, out []uint64) error
	// Close releases the resources that the engine holds outside the process.
	Close() error
}

// Unknowns is a Batch with four-valued outputs: it reports which bits are unknown.
type Unknowns interface {
	// Unknown returns a mask of the bits of the last block's output frames that were X or Z, or nil
	// if all bits were known.
	Unknown() []uint64
}

// Blocks adapts a Simulator to the Batch interface. A failed assertion does not stop it.
type Blocks struct {
	driver
	failed uint64
	first  error
}

// NewBlocks returns a Batch that runs s.
func NewBlocks(s Simulator) *Blocks {
	return &Blocks{driver: newDriver(s, NewFormat(s.Ports()))}
}

// Ports implements Batch.
func (b *Blocks) Ports() []Port { return b.f.Ports }

// RunBlock implements Batch.
func (b *Blocks) RunBlock(in, out []uint64) error {
	ni, no := b.f.InWords, b.f.OutWords
	for i := range len(in) / ni {
		b.apply(in[i*ni:][:ni])
		b.read(out[i*no:][:no])
		if err := b.s.Step(); err != nil {
			var failed *AssertionError
			if !errors.As(err, &failed) {
				return err
			}
			if b.failed++; b.first == nil {
				b.first = err
			}
		}
	}
	return nil
}

// Assertions returns the number of cycles in which an assertion failed, and the first failure.
func (b *Blocks) Assertions() (uint64, error) { return b.failed, b.first }

// Close implements Batch.
func (b *Blocks) Close() error { return b.s.Close() }
