package sim

import "errors"

// Batch runs many cycles in one call: for engines that are reached through a
// pipe or that take vector files.
type Batch interface {
	// Ports are those of Simulator.
	Ports() []Port
	// RunBlock runs len(in)/Format.InWords cycles: in holds their input frames
	// one after another, out receives their output frames, settled before the
	// clock edge. State is kept from block to block.
	RunBlock(in, out []uint64) error
	// Close frees what the engine holds outside the process.
	Close() error
}

// Unknowns is a Batch that tells unknown bits from others.
type Unknowns interface {
	// Unknown marks the bits of the last block's output frames that were X or Z;
	// nil if none was.
	Unknown() []uint64
}

// Blocks makes a Batch of a Simulator. Failed assertions do not stop it.
type Blocks struct {
	driver
	failed uint64
	first  error
}

// NewBlocks wraps s.
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

// Assertions is the number of cycles in which an assertion failed, and the
// first failure.
func (b *Blocks) Assertions() (uint64, error) { return b.failed, b.first }

// Close implements Batch.
func (b *Blocks) Close() error { return b.s.Close() }
