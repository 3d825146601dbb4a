package timing

import (
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/timeline"
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
func ScratchPipe(s *schedule, works []Work) { pipe(&scratchpad{schedule: s, ahead: 2}, works) }

// ScratchPipeIdeal is ScratchPipe without a look at mini-batches ahead (ISCA 2024, Fig. 24).
func ScratchPipeIdeal(s *schedule, works []Work) { pipe(&scratchpad{schedule: s}, works) }

// ScratchPipeStrawman goes through one stage after the other, and with one mini-batch after
// the other (ISCA 2022, Sec. IV-B).
func ScratchPipeStrawman(s *schedule, works []Work) {
	p := scratchpad{schedule: s}
	for m, w := range works {
		s.begin(m)
		p.load(m, w, s.params)
		at := p.at(m)
		at.planned = s.wait(s.gpu(p.planOps(w), at.loaded))
		p.collect(m, w)
		together(&at.read, &at.left)
		p.exchange(m, w)
		together(&at.arrived, &at.returned)
		p.insert(m, w)
		together(&at.filled, &at.written)
		p.train(m, w, at.filled)
		s.end(s.wait(s.params))
	}
}

// together lets both parts of a stage end with the later one.
func together(a, b *timeline.Point) {
	*a = timeline.Latest(*a, *b)
	*b = *a
}

// scratchpad is ScratchPipe under way.
type scratchpad struct {
	*schedule
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
			p.begin(m)
			book(m, works[m])
		}
	}
	for c := -loads; c < len(works)+trains; c++ {
		stage(c-trains, func(m int, w Work) {
			p.train(m, w, p.at(m).filled)
			p.end(p.params)
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
	loaded := p.schedule.load(w.Inputs, false, after)
	*p.at(m) = stages{loaded: p.pinned("row ids", p.toGPUs, p.ownLookups(w)*idBytes, loaded)}
}

// plan waits for the mini-batches that it looks at.
func (p *scratchpad) plan(m int, w Work, end int) {
	p.at(m).planned = p.gpu(p.planOps(w), p.at(min(m+p.ahead, end-1)).loaded)
}

// planPerTable is the operators that find distinct ids (three), look them up, hold their
// slots, move the window on, choose slots whose rows leave, and note who comes.
const planPerTable = 8

// planOps are the operators of Plan: ids are looked up that are read now, and those that
// enter the window if there is one ahead; it has a byte for each slot.
func (p *scratchpad) planOps(w Work) []op {
	looks := 1
	if p.ahead > 0 {
		looks = 2
	}
	t := p.Machine.Gather(looks*p.ownLookups(w), hitMapBytes) + p.Machine.Elementwise(0, 2*float64(p.own(w.Slots)))
	return []op{{"plan", planPerTable * p.ownTableCount(), t}}
}

// hitMapBytes is the size of an entry of the hit map.
const hitMapBytes = 16

// collect reads rows that come on the CPU, and rows that leave on the GPUs.
func (p *scratchpad) collect(m int, w Work) {
	at := p.at(m)
	at.read = p.hostRows("collect rows", w.Fills, at.planned)
	at.left = p.gpu(p.slotOps("collect slots", w.Leaves), at.planned)
}

// exchange brings both to the other side, at the same time.
func (p *scratchpad) exchange(m int, w Work) {
	at := p.at(m)
	at.arrived = p.pinned("rows to slots", p.toGPUs, p.own(w.Fills)*p.rowBytes()*p.tables(), at.read)
	at.returned = p.pinned("rows to host", p.toHost, p.own(w.Leaves)*p.rowBytes()*p.tables(), at.left)
}

// insert writes both to where they belong.
func (p *scratchpad) insert(m int, w Work) {
	at := p.at(m)
	at.written = p.hostRows("write back rows", w.Leaves, at.returned)
	at.filled = p.gpu(p.slotOps("fill slots", w.Fills), at.arrived)
}

// train trains on rows in the GPUs' own tables.
func (p *scratchpad) train(m int, w Work, begun timeline.Point) {
	at := p.at(m)
	p.marks.mark(phaseLoad, at.loaded)
	p.marks.mark(phasePlan, at.planned)
	p.marks.mark(phaseCollect, timeline.Latest(at.read, at.left))
	p.marks.mark(phaseRows, timeline.Latest(at.arrived, at.returned))
	p.marks.mark(phaseInsert, begun)
	p.params = p.trainOwn(w, begun)
	p.marks.mark(phaseOptimiser, p.params)
}

// own is the part of n that is a GPU's.
func (s *schedule) own(n int) int { return ceil(n, s.GPUs*s.Nodes) }

// ownLookups is how many rows of a GPU's tables the inputs read.
func (s *schedule) ownLookups(w Work) int { return s.own(w.Inputs * s.Model.Lookups()) }

// ownTableCount is how many tables a GPU has for the software.
func (s *schedule) ownTableCount() int {
	if s.Profile.Tables == "together" {
		return 1
	}
	return s.own(len(s.Model.Tables))
}

// hostRows books what the CPUs take to read or write rows, and their states, all over their
// memory: a third of what they take to train them, as forward alone does.
func (s *schedule) hostRows(label string, rows int, after timeline.Point) timeline.Point {
	if rows == 0 {
		return after
	}
	rows = ceil(rows, s.Nodes)
	return book(s.cpu, label, node.Time(s.tables())*(s.rowTime(rows)/3), s.tables()*rows*s.rowBytes(), after)
}

// slotOps are the operators, one a table, that move rows and their states between slots and
// a buffer.
func (s *schedule) slotOps(label string, rows int) []op {
	if rows == 0 {
		return nil
	}
	return []op{{label, s.ownTableCount() * s.tables(), node.Time(2*s.tables()) * s.Machine.Gather(s.own(rows), s.rowBytes())}}
}

// pinned is a copy of bytes between pinned host memory and each GPU.
func (s *schedule) pinned(label string, way *timeline.Resource, bytes int, after timeline.Point) timeline.Point {
	if bytes == 0 {
		return after
	}
	all := bytes * s.GPUs
	return book(way, label, max(s.Machine.PinnedCopy(bytes), s.Machine.Uplink(all)), all, after)
}
