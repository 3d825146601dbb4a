package consistency

import (
	"maps"
	"slices"
)

// Summary is the result of a watch.
type Summary struct {
	Findings  int64       `json:"findings"` // of all kinds
	Kinds     []KindCount `json:"kinds"`    // kinds with findings
	First     []Finding   `json:"first"`    // first findings of each kind, in the order in which they were found
	Staleness Staleness   `json:"staleness"`
}

// KindCount is the number of findings of a kind.
type KindCount struct {
	Kind Kind  `json:"kind"`
	N    int64 `json:"n"`
}

// Staleness is the distribution of the ages of reads, in updates. Wrong reads are excluded, because
// their age is unknown.
type Staleness struct {
	Reads int64      `json:"reads"`
	Stale int64      `json:"stale"` // with an age above 0
	Mean  float64    `json:"mean_age"`
	Max   int        `json:"max_age"`
	Ages  []AgeCount `json:"ages"` // ages that occur, from 0 on
}

// AgeCount is the number of reads of an age.
type AgeCount struct {
	Age   int   `json:"age"`
	Reads int64 `json:"reads"`
}

// ledger counts findings and ages.
type ledger struct {
	kinds [len(kinds)]int64
	first []Finding
	ages  map[int]int64
}

// firstOf is the number of findings of a kind that are kept.
const firstOf = 10

// found records a finding.
func (l *ledger) found(f Finding) {
	l.kinds[f.Kind]++
	if l.kinds[f.Kind] <= firstOf {
		l.first = append(l.first, f)
	}
}

// Summary returns the findings so far. Findings at the end are recorded by Finish.
func (w *Watch) Summary() Summary {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := Summary{Kinds: []KindCount{}, First: append([]Finding{}, w.first...), Staleness: w.staleness()}
	for k, n := range w.kinds {
		if n > 0 {
			s.Findings += n
			s.Kinds = append(s.Kinds, KindCount{Kind(k), n})
		}
	}
	return s
}

func (l *ledger) staleness() Staleness {
	s := Staleness{Ages: []AgeCount{}}
	sum := 0.0
	for _, age := range slices.Sorted(maps.Keys(l.ages)) {
		n := l.ages[age]
		s.Reads += n
		s.Max = age
		sum += float64(age) * float64(n)
		s.Ages = append(s.Ages, AgeCount{age, n})
	}
	s.Stale = s.Reads - l.ages[0]
	if s.Reads > 0 {
		s.Mean = sum / float64(s.Reads)
	}
	return s
}
