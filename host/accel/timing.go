package accel

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
)

// Clock cycles of the hardware.
const (
	fetchCycles    = 4
	takeCycles     = 2
	issueCycles    = 4
	settleCycles   = 3
	postCycles     = 4
	noticeCycles   = 4
	loadCycles     = 3
	endCycles      = 4
	walkCycles     = 10
	inputCycles    = 2
	writeCycles    = 2
	classifyCycles = 8
	announceCycles = 2
	lineCycles     = 2
	lookCycles     = 4
	answerLatency  = 7
	learnService   = 3
)

const (
	opsPerTag    = 2  // the queue of operations holds so many for each tag
	rowsAhead    = 4  // requests between memory controller and read engine
	shellWrites  = 32 // writes under way that the shell of host/card takes
	engineQueue  = 6
	engineGroups = 2
	windowAhead  = 0
	answerSlots  = 8 // more than answerLatency
	never        = 1 << 62
)

func settleRun(p arch.Params, slots int) int64 { return int64(p.Engines/slots) + 10 }

func skipCycles(p arch.Params, inputs int) int {
	words := (inputs + 31) / 32
	return 2*words + words*32/p.StreamBits
}

// readOut is when the packets of the hot set leave.
func (a *Accel) readOut() []int64 {
	var out []int64
	n, cycles := 0, int64(0)
	per := 8
	for set := range a.p.Sets() {
		valid := 0
		for _, b := range a.eal.Set(set%a.p.Banks, set/a.p.Banks) {
			if b.Valid {
				valid++
			}
		}
		cycles += 4
		for range valid {
			cycles++
			if n++; n%per == 0 {
				out = append(out, cycles+5)
				cycles = 0
			}
		}
	}
	if n%per != 0 {
		out = append(out, cycles+5)
	}
	return out
}

var _ = eal.AnswerGroups
