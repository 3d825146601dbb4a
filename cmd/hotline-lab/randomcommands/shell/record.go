package shell

// Error codes of transfers.
const (
	CodePoisoned = 9
	CodeShort    = 12
)

// Read is a read descriptor with the data received so far.
type Read struct {
	Tag     int
	Addr    uint64
	Len     int
	Peer    bool   // cls is 1: the address is in peer (GPU) memory
	Command bool   // the tag belongs to a command
	Offered uint64 // the cycle in which the descriptor became valid
	Issued  uint64
	Ended   uint64 // the cycle of its status, 0 before

	Data     []byte
	Poisoned bool
	Code     int // error code of its status
}

// Outcome returns the DMA error of a read that has ended, or 0 if it succeeded.
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

// Write is a write descriptor with the data sent so far.
type Write struct {
	Tag        int
	Addr       uint64
	Len        int
	Completion bool   // set by the Watcher
	Offered    uint64 // the cycle in which the descriptor became valid
	Issued     uint64
	Ended      uint64 // the cycle of its status, 0 before

	Data []byte
	Code int // error code of its status
}

// Filled reports whether all data has been sent.
func (w *Write) Filled() bool { return len(w.Data) == w.Len }

// Watcher is notified of all transfers in the cycle in which they happen.
type Watcher interface {
	ReadIssued(*Read)
	WriteIssued(*Write)
	WriteFilled(*Write)
	WriteEnded(*Write)
}
