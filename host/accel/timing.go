package accel

// Rates of the hardware, in clock cycles.
const (
	// commandCycles is the path of a command through check, issue, decode and
	// settling.
	commandCycles = 20
	// sweepCycles is the path of a lookup through the engines, the Feistel
	// pipeline and the two crossbars.
	sweepCycles = 40
	// learnCycles is how long a learning access keeps a bank: read, match, write.
	learnCycles = 3
	// scanCycles is the read-out of a set, in addition to one per valid block.
	scanCycles = 4
	// packetCycles is what a packet of the hot set adds to its entries.
	packetCycles = 3
	// vectorCycles is what a write adds to the beats of the rows before it.
	vectorCycles = 1
	// writeWindow is how many packets of the hot set wait for the link.
	writeWindow = 32
)

// probeCycles: the banks answer 60 of 64 engines in each cycle (Hotline, Fig.
// 16).
func (p Params) probeCycles(lookups int) int {
	return sweepCycles + (lookups*64+60*p.Engines-1)/(60*p.Engines)
}

// learnCycles: each bank accepts an access every learnCycles.
func (p Params) learnCycles(lookups int) int {
	return sweepCycles + (lookups*learnCycles+p.Banks-1)/p.Banks
}

// scanCycles: all sets, their entries, and the packets.
func (p Params) scanCycles(entries int) int {
	return scanCycles*p.Blocks/p.Ways + entries + packetCycles*(entries*hotEntryBytes/hotPacketBytes)
}

// beats is the cycles that bytes take at the boundary.
func (p Params) beats(bytes int) int { return bytes / p.StreamBytes }
