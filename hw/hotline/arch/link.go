package arch

// Stream is the data width of the boundary. Every block that data passes through has this
// parameter.
type Stream struct {
	StreamBits int `doc:"data width of the boundary" unit:"bits"`
}

// StreamBytes returns the width in bytes.
func (s Stream) StreamBytes() int { return s.StreamBits / 8 }

// CommandBeats returns the number of beats of a command.
func (s Stream) CommandBeats() int { return CommandBytes / s.StreamBytes() }

// Link describes the boundary: its data width, and the maximum number of reads, and of writes, in
// flight. Tags is a power of two.
type Link struct {
	Stream
	Tags int `doc:"DMA reads in flight"`
}

// WriteTagBits returns the width of the tag of a write, or of a row or load read.
func (l Link) WriteTagBits() int { return Log2(l.Tags) }

// ReadTagBits returns the width of the tag of any read. The top bit marks reads of commands.
func (l Link) ReadTagBits() int { return l.WriteTagBits() + 1 }
