package papers

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Statistics show how significant the number of rows that hold is.
type Statistics struct {
	Counts   []Count    `json:"counts"`  // number of results, by class
	Trivial  []Trivial  `json:"trivial"` // models without knowledge
	Placebo  []Placebo  `json:"placebo"` // published numbers shuffled
	Coverage []Coverage `json:"coverage"`
}

// Count contains the number of rows of a class for each verdict.
type Count struct {
	Class   Class `json:"class"`
	Holds   int   `json:"holds"`
	Differs int   `json:"differs"`
	NotRun  int   `json:"not_run"`
}

// Trivial compares our model with models that ignore the systems, on the same rows.
type Trivial struct {
	Rows     string  `json:"rows"`
	N        int     `json:"n"`
	Ours     int     `json:"ours"`      // rows that hold
	NoEffect int     `json:"no_effect"` // rows that hold if no system is faster than another
	Constant float64 `json:"constant"`  // rows that hold with a constant for each paper and unit, scaled from the tested halves
}

// Placebo measures how many rows hold if each has the published number of another row of its kind.
type Placebo struct {
	Class    Class   `json:"class"`
	Shuffled int     `json:"shuffled"` // numbers that came from another row, in all shuffles
	Holds    float64 `json:"holds"`    // share of these that hold
}

// Coverage measures how many published values are in our 80 % ranges.
type Coverage struct {
	Rows      string  `json:"rows"`
	N         int     `json:"n"`
	Constants float64 `json:"constants"` // share in the ranges of the constants alone
	Widened   float64 `json:"widened"`   // share in the ranges widened by the error of the model
}

// repeats is the number of repetitions of the random part of each statistic, from a fixed seed.
const repeats = 100

func random() *rand.Rand { return rand.New(rand.NewPCG(Seed, 0)) }

// statistics computes all statistics of the rows.
func (r *Reproduction) statistics() Statistics {
	var s Statistics
	for _, c := range Results {
		s.Counts = append(s.Counts, tally(c, r.Rows))
	}
	var speedUps, others, trends []Row
	for _, row := range r.Rows {
		switch {
		case row.Ours == nil:
		case row.Class == Trend:
			trends = append(trends, row)
		case row.Class == Timing && row.speedUp():
			speedUps = append(speedUps, row)
		case row.Class == Timing:
			others = append(others, row)
		}
	}
	s.Trivial = []Trivial{trivial("speed-ups", speedUps), trivial("other times", others), {Rows: "trends", N: len(trends), Ours: holding(trends)}}
	s.Placebo = placebo(r.Rows)
	s.Coverage = coverage(r.Rows)
	return s
}

// tally returns the verdicts of a class.
func tally(c Class, rows []Row) Count {
	x := Count{Class: c}
	for _, r := range rows {
		if r.Class == c {
			switch r.Verdict {
			case Holds:
				x.Holds++
			case Differs:
				x.Differs++
			case NotRun:
				x.NotRun++
			}
		}
	}
	return x
}

func holding(rows []Row) (n int) {
	for _, r := range rows {
		if r.Verdict == Holds {
			n++
		}
	}
	return n
}

// trivial judges models without knowledge on rows of simulated time.
func trivial(name string, rows []Row) Trivial {
	t := Trivial{Rows: name, N: len(rows), Ours: holding(rows)}
	for _, r := range rows {
		if r.speedUp() && r.holds(1) {
			t.NoEffect++
		}
	}
	held, tested := 0, 0
	random := random()
	for range repeats {
		order := random.Perm(len(rows))
		half := len(rows) / 2
		constants := fit(pick(rows, order[:half]))
		for _, r := range pick(rows, order[half:]) {
			tested++
			if c, ok := constants[r.kind()]; ok && r.holds(c) {
				held++
			}
		}
	}
	if tested > 0 {
		t.Constant = float64(held) / float64(tested) * float64(len(rows))
	}
	return t
}

func pick(rows []Row, order []int) (list []Row) {
	for _, i := range order {
		list = append(list, rows[i])
	}
	return list
}

// kind identifies rows that may have a constant in common.
type kind struct{ paper, unit string }

func (r Row) kind() kind { return kind{r.Paper, r.Unit} }

// fit returns, for each kind, the constant with which most rows hold. Each row holds in an
// interval, so the constant is an end of one of the intervals.
func fit(rows []Row) map[kind]float64 {
	constants, most := map[kind]float64{}, map[kind]int{}
	for _, x := range rows {
		for _, c := range []float64{x.From, x.To} {
			n := 0
			for _, r := range rows {
				if r.kind() == x.kind() && r.holds(c) {
					n++
				}
			}
			if n > most[x.kind()] {
				constants[x.kind()], most[x.kind()] = c, n
			}
		}
	}
	return constants
}

// placebo shuffles the published numbers among rows of one class and unit, and counts the numbers
// that hold. A number that keeps its row does not count. For a trend, it shuffles the series.
func placebo(rows []Row) (list []Placebo) {
	random := random()
	tried, held := map[Class]int{}, map[Class]int{}
	try := func(c Class, holds bool) {
		tried[c]++
		if holds {
			held[c]++
		}
	}
	for range repeats {
		for _, group := range alike(rows) {
			claims := make([]Claim, len(group))
			for i, j := range random.Perm(len(group)) {
				if claims[i] = group[j].Claim; claims[i].Says != group[i].Says {
					try(group[i].Class, claims[i].holds(*group[i].Ours))
				}
			}
		}
		for _, x := range series(rows) {
			shuffled := slices.Clone(x.published)
			random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			if !slices.Equal(shuffled, x.published) {
				same, pairs := inOrder(shuffled, x.ours)
				try(Trend, same == pairs)
			}
		}
	}
	for _, c := range Results {
		p := Placebo{Class: c, Shuffled: tried[c]}
		if p.Shuffled > 0 {
			p.Holds = float64(held[c]) / float64(p.Shuffled)
		}
		list = append(list, p)
	}
	return list
}

// alike groups the results with numbers by class and unit.
func alike(rows []Row) (list [][]Row) {
	groups := map[string]int{}
	for _, r := range rows {
		if r.Ours == nil || r.Class == Trend || !slices.Contains(Results, r.Class) {
			continue
		}
		key := string(r.Class) + " " + r.Unit
		if r.speedUp() {
			key += ", speed-up"
		}
		i, ok := groups[key]
		if !ok {
			i = len(list)
			groups[key], list = i, append(list, nil)
		}
		list[i] = append(list[i], r)
	}
	return list
}

// compared is a series of published numbers with ours.
type compared struct{ published, ours []float64 }

// series returns the numbers behind the trends: for an order the times of the systems, otherwise
// the rows.
func series(rows []Row) (list []compared) {
	for _, group := range bySeries(rows) {
		var x compared
		for _, r := range group {
			switch {
			case r.Class == Trend && r.series != nil:
				list = append(list, compared{r.Times, r.series})
			case r.Class == Trend && r.On == "trend":
				list = append(list, x)
			case r.Value != nil && r.Ours != nil:
				x.published, x.ours = append(x.published, *r.Value), append(x.ours, *r.Ours)
			}
		}
	}
	return list
}

// halves splits the rows of simulated time with a published value. Every second row, in the order
// of the files, is in the calibration half.
func halves() (calibration, test map[string]bool) {
	calibration, test = map[string]bool{}, map[string]bool{}
	n := 0
	for _, r := range Records() {
		if r.Class == Timing && r.Value != nil && r.Measure != "" {
			if n++; n%2 == 1 {
				calibration[r.ID] = true
			} else {
				test[r.ID] = true
			}
		}
	}
	return calibration, test
}

// coverage counts the published values in our ranges, by half.
func coverage(rows []Row) []Coverage {
	calibration, test := halves()
	return []Coverage{within("calibration half", rows, calibration), within("other half", rows, test)}
}

func within(name string, rows []Row, half map[string]bool) Coverage {
	c := Coverage{Rows: name}
	for _, off := range beyond(rows, half) {
		c.N++
		if off <= 1 {
			c.Constants++
		}
		if off <= modelError {
			c.Widened++
		}
	}
	if c.N > 0 {
		c.Constants /= float64(c.N)
		c.Widened /= float64(c.N)
	}
	return c
}

// beyond returns, for each published value of a half, the factor by which it is outside the range
// of the constants, or 1 if it is inside.
func beyond(rows []Row, half map[string]bool) (list []float64) {
	for _, r := range rows {
		if half[r.ID] && r.spread != nil {
			list = append(list, max(1, r.spread.Low / *r.Value, *r.Value/r.spread.High))
		}
	}
	slices.SortFunc(list, cmp.Compare[float64])
	return list
}
