package trial

// Result accumulates the counts of one or more episodes.
type Result struct {
	Commands int
	Cycles   uint64
	Statuses map[string]map[int]int // by kind of command
	Faults   map[string]int         // injected faults, by kind
	Events   map[string]int         // actions of the driver, by kind
}

// NewResult returns an empty Result.
func NewResult() *Result {
	return &Result{Statuses: map[string]map[int]int{}, Faults: map[string]int{}, Events: map[string]int{}}
}

func (r *Result) count(kind string, status int) {
	if r.Statuses[kind] == nil {
		r.Statuses[kind] = map[int]int{}
	}
	r.Statuses[kind][status]++
	r.Commands++
}

// Add adds the counts of s.
func (r *Result) Add(s *Result) {
	for kind, statuses := range s.Statuses {
		if r.Statuses[kind] == nil {
			r.Statuses[kind] = map[int]int{}
		}
		add(r.Statuses[kind], statuses)
	}
	r.Commands += s.Commands
	r.Cycles += s.Cycles
	add(r.Faults, s.Faults)
	add(r.Events, s.Events)
}

func add[K comparable](to, from map[K]int) {
	for k, n := range from {
		to[k] += n
	}
}
