package functional

// Hardware latencies, in cycles, between events. They cover registers and states that the hardware
// description does not name. The values were calibrated by comparing both models TLP by TLP at the
// points that scripts/fidelity calls tuned. Latencies that the description names (queues,
// pipelines, arbiters, beats) are taken from it.
const (
	// Registers and commands (isa).
	busCycles    = 3 // register access, from offer to answer
	fetchCycles  = 1 // doorbell or free entry, to the descriptor of the command read
	takeCycles   = 2 // command present, to the outcome of its CRC
	issueCycles  = 2 // CRC outcome, to the dispatcher's decision
	finishCycles = 3 // dispatcher's last step, to the outcome
	postCycles   = 2 // outcome, to the completion's first beat
	noticeCycles = 4 // completion on the link, to the interrupt
	turnCycles   = 2 // interrupt, to the next command

	// Reads (dma).
	endCycles = 5 // status of a read, to the step that waits for all reads of its kind
	rowCycles = 3 // status of the oldest row, to its first beat at the reducer
	tagCycles = 2 // last beat of a row read from the buffer, to a request with its tag

	// Sweeps (lookup, eal, dispatch).
	sweepCycles    = 3 // first and last states of a run, except the reduction of E mod L and the tree that detects the end
	answerCycles   = 2 // answer leaving a bank, to its mark in the window
	classifyCycles = 4 // end of a run, to the classifier's end
	announceCycles = 1 // announcement of a bitmap packet, before its lines
	lineCycles     = 2 // line of a bitmap: read, sent

	// Hot set (dispatch).
	scanCycles      = 2 // sets of an index: read, checked
	firstBeatCycles = 2 // first beat of a packet complete, to the beat leaving

	// Gather and update (dispatch, reduce, dma).
	updateCycles     = 2 // command, to the walker's search for the first entry of an update list
	bitmapCycles     = 4 // command, to the walker's search for the first input of a bitmap
	listCycles       = 8 // input found, to the request for its first row
	opCycles         = 1 // through the queue of operations
	placeCycles      = 3 // operation taken, to the request that waits for its place in the queue
	descriptorCycles = 2 // packet, to the first beat of its data
	packetCycles     = 2 // operation done, to the descriptor of its packet at the link
	leftCycles       = 3 // write on the link, to the state in which nothing is pending
	settleCycles     = 4 // nothing pending, to the outcome
)
