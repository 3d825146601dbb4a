package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// Phases of ScratchPipe before its training: where nothing hides them.
const (
	phasePlan    = "plan"
	phaseCollect = "collect"
	phaseRows    = "exchange rows"
	phaseInsert  = "insert"
)

// ScratchPipe brings rows into the memory of the GPUs before they train on them (ISCA 2022,
// Sec. IV-C). Stages of several mini-batches run side by side, and share the host thread,
// the CPU, the links and the GPUs. Rows are collected behind the write-back and the training
// that they need, as CPU and GPUs do one thing after the other.
func ScratchPipe(s *Schedule, works []Work) { pipe(&scratchpad{Schedule: s, ahead: 2}, works) }

// ScratchPipeIdeal is ScratchPipe without a look at mini-batches ahead (ISCA 2024, Fig. 24).
func ScratchPipeIdeal(s *Schedule, works []Work) { pipe(&scratchpad{Schedule: s}, works) }

// ScratchPipeStrawman goes through one stage after the other, and with one mini-batch after
// the other (ISCA 2022, Sec. IV-B).
func ScratchPipeStrawman(s *Schedule, works []Work) {
	p := scratchpad{Schedule: s}
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

// together lets both parts of a stage end with the later one.
func together(a, b *timeline.Point) {
	*a = timeline.Latest(*a, *b)
	*b = *a
}

// scratchpad is ScratchPipe under way.
type scratchpad struct {
	*Schedule
	ahead  int            // mini-batches that Plan looks at
	recent [recent]stages // by number of the mini-batch
}

// stages are the ends of those of a mini-batch.
type stages struct {
	loaded, planned   timeline.Point
	read, left        timeline.Point // Collect: rows in host memory, and in slots
	arrived, returned timeline.Point // Exchange: at the GPUs, and at the host
	filled, written   timeline.Point // Insert: slots, and host memory
}

// A mini-batch is loaded three cycles before it is planned, and trained on four later.
const (
	loads  = 3
	trains = 4
	recent = loads + trains
)

// at are the stages of a mini-batch.
func (p *scratchpad) at(m int) *stages { return &p.recent[m%recent] }

// pipe books a cycle after the other, in each of them the mini-batch that is furthest first.
func pipe(p *scratchpad, works []Work) {
	stage := func(m int, book func(m int, w Work)) {
		if m >= 0 && m < len(works) {
			p.Begin(m)
			book(m, works[m])
		}
	}
	for c := -loads; c < len(works)+trains; c++ {
		stage(c-trains, func(m int, w Work) {
			p.train(m, w, p.at(m).filled)
			p.End(p.Params)
		})
		stage(c-3, p.insert)
		stage(c-2, p.exchange)
		stage(c-1, p.collect)
		stage(c, func(m int, w Work) { p.plan(m, w, len(works)) })
		stage(c+loads, func(m int, w Work) { p.load(m, w, p.before(m-loads-1).planned) })
	}
}

// before are the stages of a mini-batch, if there is one: before the first there is none.
func (p *scratchpad) before(m int) stages {
	if m < 0 {
		return stages{}
	}
	return *p.at(m)
}

// load loads inputs and brings the ids of their rows to the GPUs.
func (p *scratchpad) load(m int, w Work, after timeline.Point) {
	loaded := p.Schedule.Load(w.Inputs, false, after)
	*p.at(m) = stages{loaded: p.pinned("row ids", p.ToGPUs, p.ownLookups(w)*idBytes, loaded)}
}

// plan waits for the mini-batches that it looks at.
func (p *scratchpad) plan(m int, w Work, end int) {
	p.at(m).planned = p.GPU(p.planOps(w), p.at(min(m+p.ahead, end-1)).loaded)
}

// planPerTable is the operators that find distinct ids (three), look them up, hold their
// slots, move the window on, choose slots whose rows leave, and note who comes.
const planPerTable = 8

// planOps are the operators of Plan: ids are looked up that are read now, and those that
// enter the window if there is one ahead; it has a byte for each slot.
func (p *scratchpad) planOps(w Work) []Op {
	looks := 1
	if p.ahead > 0 {
		looks = 2
	}
	t := p.Machine.Gather(looks*p.ownLookups(w), hitMapBytes) + p.Machine.Elementwise(0, 2*float64(p.own(w.Slots)))
	return []Op{{"plan", planPerTable * p.ownTableCount(), t}}
}

// hitMapBytes is the size of an entry of the hit map.
const hitMapBytes = 16

// collect reads rows that come on the CPU, and rows that leave on the GPUs.
func (p *scratchpad) collect(m int, w Work) {
	at := p.at(m)
	at.read = p.HostRows("collect rows", w.Fills, at.planned)
	at.left = p.GPU(p.slotOps("collect slots", w.Leaves), at.planned)
}

// exchange brings both to the other side, at the same time.
func (p *scratchpad) exchange(m int, w Work) {
	at := p.at(m)
	at.arrived = p.pinned("rows to slots", p.ToGPUs, p.own(w.Fills)*p.RowBytes()*p.Tables(), at.read)
	at.returned = p.pinned("rows to host", p.ToHost, p.own(w.Leaves)*p.RowBytes()*p.Tables(), at.left)
}

// insert writes both to where they belong.
func (p *scratchpad) insert(m int, w Work) {
	at := p.at(m)
	at.written = p.HostRows("write back rows", w.Leaves, at.returned)
	at.filled = p.GPU(p.slotOps("fill slots", w.Fills), at.arrived)
}

// train trains on rows in the GPUs' own tables.
func (p *scratchpad) train(m int, w Work, begun timeline.Point) {
	at := p.at(m)
	p.Mark(phaseLoad, at.loaded)
	p.Mark(phasePlan, at.planned)
	p.Mark(phaseCollect, timeline.Latest(at.read, at.left))
	p.Mark(phaseRows, timeline.Latest(at.arrived, at.returned))
	p.Mark(phaseInsert, begun)
	p.Params = p.trainOwn(w, nil, begun)
	p.Mark(phaseOptimiser, p.Params)
}

// own is the part of n that is a GPU's.
func (s *Schedule) own(n int) int { return ceil(n, s.GPUs*s.Nodes) }

// ownLookups is how many rows of a GPU's tables the inputs read.
func (s *Schedule) ownLookups(w Work) int { return s.own(w.Inputs * s.Model.Lookups()) }

// ownTableCount is how many tables a GPU has for the software.
func (s *Schedule) ownTableCount() int {
	if s.Profile.Tables == "together" {
		return 1
	}
	return s.own(len(s.Model.Tables))
}

// HostRows books what the CPUs take to read or write rows, and their states, all over their
// memory: a third of what they take to train them, as forward alone does.
func (s *Schedule) HostRows(label string, rows int, after timeline.Point) timeline.Point {
	if rows == 0 {
		return after
	}
	rows = ceil(rows, s.Nodes)
	return book(s.CPU, label, des.Time(s.Tables())*(s.rowTime(rows)/3), s.Tables()*rows*s.RowBytes(), after)
}

// slotOps are the operators, one a table, that move rows and their states between slots and
// a buffer.
func (s *Schedule) slotOps(label string, rows int) []Op {
	if rows == 0 {
		return nil
	}
	return []Op{{label, s.ownTableCount() * s.Tables(), des.Time(2*s.Tables()) * s.Machine.Gather(s.own(rows), s.RowBytes())}}
}

// pinned is a copy of bytes between pinned host memory and each GPU.
func (s *Schedule) pinned(label string, way *timeline.Resource, bytes int, after timeline.Point) timeline.Point {
	if bytes == 0 {
		return after
	}
	all := bytes * s.GPUs
	return book(way, label, max(s.Machine.PinnedCopy(bytes), s.Machine.Uplink(all)), all, after)
}
