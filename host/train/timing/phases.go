package timing

// Phases that several systems have. An order may mark other phases.
const (
	PhaseLoad       = "loading inputs"
	PhaseEmbedding  = "CPU embedding"
	PhaseCopies     = "copies"
	PhaseGPU        = "GPU"
	PhaseReduce     = "all-reduce"
	PhaseExchange   = "hot-row exchange"
	PhaseOptimiser  = "optimiser"
	PhaseUpdate     = "update exposed" // of rows in host memory
	PhaseProfile    = "profiling"      // of samples, before the first mini-batch
	PhaseLearn      = "learning"       // of hot rows
	PhaseMove       = "hot-row copies"
	PhasePopular    = "popular micro-batch"
	PhaseGather     = "waiting for gather"
	PhaseNonPopular = "non-popular micro-batch"
)
