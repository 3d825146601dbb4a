package accel

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Clock cycles of the hardware.
const (
	busCycles        = 3
	setCycles        = 3
	firstBeatCycles  = 2
	fetchCycles      = 1
	takeCycles       = 3
	issueCycles      = 1
	finishCycles     = 3
	leftCycles       = 3
	turnCycles       = 2
	settleCycles     = 4
	postCycles       = 2
	noticeCycles     = 4
	loadCycles       = 0
	endCycles        = 5
	walkCycles       = 7
	bitmapCycles     = 4
	inputCycles      = 2
	rowCycles        = 4
	tagCycles        = 1
	descriptorCycles = 2
	classifyCycles   = 4
	announceCycles   = 1
	lineCycles       = 2
	sweepCycles      = 2
	answerCycles     = 2
)

const (
	opsPerTag    = 2  // the queue of operations holds so many for each tag
	rowsAhead    = 4  // requests between memory controller and read engine
	shellWrites  = 32 // writes under way that the shell of host/card takes
	engineQueue  = 6
	engineGroups = 2
	answerDepth  = 3
	never        = 1 << 62
)

// skipCycles is how long the walk over so many inputs takes beside their lookups:
// a word of the bitmap takes two cycles, a line one, and an input inputCycles,
// during which the emitter goes on with what the pipeline holds.
func skipCycles(p arch.Params, inputs, others, slots, tables int) int {
	words := (inputs + 31) / 32
	return 2*words + words*32/p.StreamBits + others*inputCycles*slots/(slots+tables)
}
