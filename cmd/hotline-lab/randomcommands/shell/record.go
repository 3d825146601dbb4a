package shell

// Codes with which a transfer ends.
const (
	CodePoisoned = 9
	CodeShort    = 12
)

// Read is a read descriptor and what it brought so far.
type Read struct {
	Tag     int
	Addr    uint64
	Len     int
	Peer    bool   // cls 1
	Command bool   // the tag is that of a command
	Offered uint64 // the cycle in which the descriptor became valid
	Issued  uint64
	Ended   uint64 // the cycle of its status, 0 before

	Data     []byte
	Poisoned bool
	Code     int // of its status
}

// Outcome is the DMA error of a read that has ended, 0 if all is well.
func (r *Read) Outcome() int {
	switch {
	case r.Code != 0:
		return r.Code
	case r.Poisoned:
		return CodePoisoned
	case len(r.Data) < r.Len:
		return CodeShort
	}
	return 0
}

// Write is a write descriptor and what was sent for it so far.
type Write struct {
	Tag        int
	Addr       uint64
	Len        int
	Completion bool   // set by the Watcher
	Offered    uint64 // the cycle in which the descriptor became valid
	Issued     uint64
	Ended      uint64 // the cycle of its status, 0 before

	Data []byte
	Code int // of its status
}

// Filled tells whether all data has been sent.
func (w *Write) Filled() bool { return len(w.Data) == w.Len }

// Watcher is told of all transfers, in the cycle in which they happen.
type Watcher interface {
	ReadIssued(*Read)
	WriteIssued(*Write)
	WriteFilled(*Write)
	WriteEnded(*Write)
}
