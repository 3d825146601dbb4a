package scratchpipe

import (
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Work counts the work that only this system requests.
type Work struct {
	Slots int `json:"slots,omitempty"` // for rows in the memory of all GPUs
	// Rows that enter and leave slots before the mini-batch.
	Fills  int `json:"fills,omitempty"`
	Leaves int `json:"leaves,omitempty"`
}

// Phases before training, where no other work hides them.
const (
	phasePlan    = "plan"
	phaseCollect = "collect"
	phaseRows    = "exchange rows"
	phaseInsert  = "insert"
)

// Order brings rows into GPU memory before the GPUs train on them (ISCA 2022, Sec. IV-C). Stages of
// several mini-batches run concurrently, and share the host thread, the links and the GPUs. Collect
// and Insert are stages of different mini-batches (Fig. 10), so each has cores of the CPU. A
// framework's operators leave cores and memory bandwidth for both; fused kernels use all of them,
// so the stages alternate.
func Order(s *timing.Schedule, works []timing.Work) { pipe(newOrder(s, 2), works) }

// IdealOrder is like [Order], but does not look ahead (ISCA 2024, Fig. 24).
func IdealOrder(s *timing.Schedule, works []timing.Work) { pipe(newOrder(s, 0), works) }

// StrawmanOrder runs all stages and all mini-batches sequentially (ISCA 2022, Sec. IV-B).
func StrawmanOrder(s *timing.Schedule, works []timing.Work) {
	p := newOrder(s, 0)
	for m, w := range works {
		s.Begin(m)
		p.load(m, w, s.Params)
		at := p.at(m)
		at.planned = s.Wait(s.GPU(p.planOps(w), at.loaded))
		p.collect(m, w)
		together(&at.read, &at.left)
		p.exchange(m, w)
		together(&at.arrived, &at.returned)
		p.insert(m, w)
		together(&at.filled, &at.written)
		p.train(m, w, at.filled)
		s.End(s.Wait(s.Params))
	}
}

// together sets the ends of both parts of a stage to the later one.
func together(a, b *timeline.Point) {
	*a = timeline.Latest(*a, *b)
	*b = *a
}

// order is the state of an order.
type order struct {
	*timing.Schedule
	ahead   int                // mini-batches that Plan looks ahead
	inserts *timeline.Resource // cores of the CPU that write rows back
	recent  [recent]stages     // by number of the mini-batch
}

func newOrder(s *timing.Schedule, ahead int) *order {
	p := &order{Schedule: s, ahead: ahead, inserts: s.CPU}
	if s.Profile.CPU == "stock" {
		p.inserts = s.Resource("CPU, inserts", 1)
	}
	return p
}

// stages holds the end of each stage of a mini-batch.
type stages struct {
	loaded, planned   timeline.Point
	read, left        timeline.Point // Collect: rows in host memory, and in slots
	arrived, returned timeline.Point // Exchange: at the GPUs, and at the host
	filled, written   timeline.Point // Insert: slots, and host memory
}

// A mini-batch is loaded three cycles before it is planned, and trained on four cycles later.
const (
	loads  = 3
	trains = 4
	recent = loads + trains
	window = 3 // past mini-batches whose rows stay
)

// at returns the stages of a mini-batch.
func (p *order) at(m int) *stages { return &p.recent[m%recent] }

// pipe books the cycles in order. Within a cycle, it books the oldest mini-batch first.
func pipe(p *order, works []timing.Work) {
	stage := func(m int, book func(m int, w timing.Work)) {
		if m >= 0 && m < len(works) {
			p.Begin(m)
			book(m, works[m])
		}
	}
	for c := -loads; c < len(works)+trains; c++ {
		stage(c-trains, func(m int, w timing.Work) {
			p.train(m, w, p.at(m).filled)
			p.End(p.Params)
		})
		stage(c-3, p.insert)
		stage(c-2, p.exchange)
		stage(c-1, p.collect)
		stage(c, func(m int, w timing.Work) { p.plan(m, w, len(works)) })
		stage(c+loads, func(m int, w timing.Work) { p.load(m, w, p.before(m-loads-1).planned) })
	}
}

// before returns the stages of a mini-batch, or zero stages for a mini-batch before the first.
func (p *order) before(m int) stages {
	if m < 0 {
		return stages{}
	}
	return *p.at(m)
}

// load books loading inputs and copying the ids of their rows to the GPUs.
func (p *order) load(m int, w timing.Work, after timeline.Point) {
	loaded := p.Schedule.Load(w.Inputs, false, after)
	*p.at(m) = stages{loaded: p.CopyPinned("row ids", p.ToGPUs, p.GPUs, p.IDs(w.Inputs*p.Model.Lookups()), loaded)}
}

// plan books Plan after the mini-batches that it looks at are loaded.
func (p *order) plan(m int, w timing.Work, end int) {
	p.at(m).planned = p.GPU(p.planOps(w), p.at(min(m+p.ahead, end-1)).loaded)
}

// planPerTable is the number of operators for a table: three find distinct ids; the others look
// them up, hold their slots, advance the window, choose victims, and record arrivals.
const planPerTable = 8

// planOps returns the operators of Plan. They look up the ids of the planned mini-batch and, with
// look-ahead, of the mini-batch that enters the window. The window has one byte per slot.
func (p *order) planOps(w timing.Work) []timing.Op {
	looks := 1
	if p.ahead > 0 {
		looks = 2
	}
	t := p.Machine.Gather(looks*p.ownLookups(w), hitMapBytes) + p.Machine.Elementwise(0, 2*float64(p.Share(timing.Own[Work](w).Slots)))
	return []timing.Op{{Label: "plan", Count: planPerTable * p.ownTables(), Kernels: t}}
}

// hitMapBytes is the size of an entry of the hit map.
const hitMapBytes = 16

// collect books reading arriving rows on the CPU, and leaving rows on the GPUs. A row that has left
// the window is in host memory first.
func (p *order) collect(m int, w timing.Work) {
	at, own := p.at(m), timing.Own[Work](w)
	at.read = p.HostRows(p.CPU, "collect rows", timing.HostRead, own.Fills, timeline.Latest(at.planned, p.before(m-window).written))
	at.left = p.GPU(p.Access(p.slotOps("collect slots", own.Leaves), timing.GPUCollect, own.Leaves), at.planned)
}

// exchange books both transfers, which are concurrent.
func (p *order) exchange(m int, w timing.Work) {
	at, own := p.at(m), timing.Own[Work](w)
	at.arrived = p.CopyPinned("rows to slots", p.ToGPUs, p.GPUs, p.WithStates(p.Rows(own.Fills)), at.read)
	at.returned = p.CopyPinned("rows to host", p.ToHost, p.GPUs, p.WithStates(p.Rows(own.Leaves)), at.left)
}

// insert books writing rows to their destinations.
func (p *order) insert(m int, w timing.Work) {
	at, own := p.at(m), timing.Own[Work](w)
	at.written = p.HostRows(p.inserts, "write back rows", timing.HostWrite, own.Leaves, at.returned)
	at.filled = p.GPU(p.slotOps("fill slots", own.Fills), at.arrived)
}

// train books training on rows in the GPUs' own tables.
func (p *order) train(m int, w timing.Work, begun timeline.Point) {
	at := p.at(m)
	p.Mark(timing.PhaseLoad, at.loaded)
	p.Mark(phasePlan, at.planned)
	p.Mark(phaseCollect, timeline.Latest(at.read, at.left))
	p.Mark(phaseRows, timeline.Latest(at.arrived, at.returned))
	p.Mark(phaseInsert, begun)
	p.Params = p.TrainOwn(w, 0, nil, begun)
	p.Mark(timing.PhaseOptimiser, p.Params)
}

// ownLookups returns how many rows of a GPU's tables the inputs read.
func (p *order) ownLookups(w timing.Work) int { return p.Share(w.Inputs * p.Model.Lookups()) }

// ownTables returns the number of tables of a GPU, as seen by the software.
func (p *order) ownTables() int {
	if p.Profile.Tables == "together" {
		return 1
	}
	return p.Share(len(p.Model.Tables))
}

// slotOps returns the operators, one per table, that move rows and their states between slots and a
// buffer.
func (p *order) slotOps(label string, rows int) []timing.Op {
	ops := p.RowMove(label, p.Share(rows), p.Tables())
	for i := range ops {
		ops[i].Count *= p.ownTables()
	}
	return ops
}
