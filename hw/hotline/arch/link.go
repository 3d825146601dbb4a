package arch

// Stream is the width of the boundary, a parameter of all that data passes through.
type Stream struct{ StreamBits int }

// StreamBytes is the width in bytes.
func (s Stream) StreamBytes() int { return s.StreamBits / 8 }

// CommandBeats is the number of beats of a command.
func (s Stream) CommandBeats() int { return CommandBytes / s.StreamBytes() }

// Link is the boundary: its width, and how many reads, and writes, are in flight, a
// power of two.
type Link struct {
	Stream
	Tags int
}

// WriteTagBits is the width of the tag of a write, or of the read of a row or load.
func (l Link) WriteTagBits() int { return Log2(l.Tags) }

// ReadTagBits is the width of any read's tag: the top bit is that of commands.
func (l Link) ReadTagBits() int { return l.WriteTagBits() + 1 }
