package accuracy

import (
	"fmt"

	"github.com/hotline-rtl/hotline/configs"
)

// Parameters of the trainings. With this number of inputs, a model of 3.3 million parameters begins
// to learn individual rows. The learning rate is half of the largest tried rate with which the
// model still learns.
const (
	trained  = 131072 // inputs
	heldOut  = 32768  // inputs that follow the training inputs
	aged     = 32768  // leading inputs for which the ages of reads are determined, which is slower than training
	seeds    = 3
	usual    = 256 // inputs of a mini-batch
	learning = 0.4
)

// sweep describes a table of a document and its two plots.
type sweep struct {
	name     string // prefix of the plots' file names
	document string // in docs/explanation/systems
	title    string
	x        quantity
	lines    []line
}

// line is a set of variants that a line in the plots connects.
type line struct {
	name     string
	variants []variant
}

// variant is a system with options.
type variant struct {
	label   string // in the table, after the name of the system
	system  string
	gpus    int
	batch   int
	block   string // configuration block of the system
	watched watched
}

// name returns a name that is unique among the variants.
func (v variant) name() string {
	return fmt.Sprintf("%s, %s, mini-batches of %d", v.system, v.label, v.batch)
}

// config returns the small configuration with the block of the variant and a seed.
func (v variant) config(seed uint64) (*configs.Config, error) {
	name, text, err := configs.Source("")
	if err != nil {
		return nil, err
	}
	c, err := configs.Parse(name, append(text, v.block...))
	if err != nil {
		return nil, err
	}
	c.Data = &configs.Data{}
	c.Model.LearningRate = learning
	c.Training.Seed, c.Training.GPUs, c.Training.Batch, c.Training.Batches = seed, v.gpus, v.batch, trained/v.batch
	return c, nil
}

// sequential returns the sequential training to which variants with this mini-batch size are
// compared.
func sequential(batch int) variant {
	return variant{label: "rows in CPU memory", system: "hybrid", gpus: 1, batch: batch}
}

// sweeps returns all sweeps.
func sweeps() []sweep { return []sweep{lambdas(), ages(), ranks()} }

// lambdas returns the sweep of cDLRM on four GPUs over lambda, the number of mini-batches between
// two averagings of the caches.
func lambdas() sweep {
	s := sweep{name: "cdlrm-lambda", document: "cdlrm.md", title: "cDLRM by lambda", x: apart}
	for _, batch := range []int{128, 512} {
		l := line{name: fmt.Sprintf("mini-batches of %d", batch)}
		for lambda := 1; lambda <= 64; lambda *= 4 {
			l.variants = append(l.variants, variant{
				label: fmt.Sprintf("lambda %d", lambda), system: "cdlrm", gpus: 4, batch: batch, watched: replicas,
				block: fmt.Sprintf("cdlrm {\n  window = 64\n  lambda = %d\n}\n", lambda),
			})
		}
		s.lines = append(s.lines, l)
	}
	return s
}

// ages returns the sweep of systems that read stale rows, over the number of their cache slots.
func ages() sweep {
	s := sweep{name: "staleness", document: "cdlrm.md", title: "Old rows", x: age}
	add := func(window int, sets ...int) {
		l := line{name: fmt.Sprintf("cdlrm-paper, windows of %d", window)}
		for _, n := range sets {
			l.variants = append(l.variants, variant{
				label: fmt.Sprintf("window %d, %d sets", window, n), system: "cdlrm-paper", gpus: 1, batch: usual, watched: reads,
				block: fmt.Sprintf("cdlrm {\n  window = %d\n  sets = %d\n}\n", window, n),
			})
		}
		s.lines = append(s.lines, l)
	}
	add(10, 25, 100, 400)
	add(40, 100, 400)
	l := line{name: "scratchpipe-ideal"}
	l.variants = append(l.variants, variant{label: "share 0.02", system: "scratchpipe-ideal", gpus: 1, batch: usual, watched: reads})
	s.lines = append(s.lines, l)
	return s
}

// ranks returns the sweep of tables in tensor-train form over the number of their parameters.
func ranks() sweep {
	s := sweep{name: "elrec", document: "elrec.md", title: "Tables in tensor-train form", x: compression}
	add := func(name string, options ...[2]int) {
		l := line{name: name}
		for _, o := range options {
			l.variants = append(l.variants, variant{
				label: fmt.Sprintf("rank %d, threshold %d", o[0], o[1]), system: "elrec", gpus: 1, batch: usual,
				block: fmt.Sprintf("elrec {\n  rank = %d\n  threshold = %d\n}\n", o[0], o[1]),
			})
		}
		s.lines = append(s.lines, l)
	}
	add("rank 1 to 16, threshold 1000", [2]int{1, 1000}, [2]int{4, 1000}, [2]int{8, 1000}, [2]int{16, 1000})
	add("rank 4, threshold 100 and 1000", [2]int{4, 100}, [2]int{4, 1000})
	return s
}
