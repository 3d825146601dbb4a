package functional

// Cycles of the hardware from one event to another: registers and states on the way
// that its description does not name. They are whole numbers, found by comparing
// the TLPs of both models, one by one, at the points that scripts/fidelity calls
// tuned. What the description does name (queues, pipelines, arbiters, beats) is
// taken from there.
const (
	// Registers and commands (isa).
	busCycles    = 3 // an access to a register, from its offer to its answer
	fetchCycles  = 1 // doorbell, or room for another command, to the descriptor of its read
	takeCycles   = 2 // command that is there, to the outcome of its CRC
	issueCycles  = 2 // from there to the dispatcher's verdict
	finishCycles = 3 // the dispatcher's last step to the outcome
	postCycles   = 2 // outcome, to the completion's first beat
	noticeCycles = 4 // completion on the link, to the interrupt
	turnCycles   = 2 // interrupt, to the next command

	// Reads (dma).
	endCycles = 5 // status of a read, to the step that waits for all of its kind
	rowCycles = 3 // status of the oldest row, to its first beat at the reducer
	tagCycles = 2 // last beat of a row read from the buffer, to a request with its tag

	// Sweeps (lookup, eal, dispatch).
	sweepCycles    = 3 // first and last states of a run, beside the reduction of E mod L and the tree that finds the end
	answerCycles   = 2 // answer that leaves a bank, to the mark in the window
	classifyCycles = 4 // end of a run, to the classifier's
	announceCycles = 1 // packet of a bitmap, before its lines
	lineCycles     = 2 // line of a bitmap: read, sent

	// Hot set (dispatch).
	scanCycles      = 2 // sets of a number: read, looked at
	firstBeatCycles = 2 // first beat of a packet that is there, to where it leaves

	// Gather and update (dispatch, reduce, dma).
	updateCycles     = 2 // command, to where the walker looks for the first entry of an update list
	bitmapCycles     = 4 // the same for the first input of a bitmap
	listCycles       = 8 // input that is known, to the request for its first row
	opCycles         = 1 // through the queue of operations
	placeCycles      = 3 // operation taken, to the request that waits for its place in the queue
	descriptorCycles = 2 // packet, to the first beat of its data
	packetCycles     = 2 // operation done, to the descriptor of its packet at the link
	leftCycles       = 3 // write on the link, to where nothing is pending
	settleCycles     = 4 // nothing is left, to the outcome
)
