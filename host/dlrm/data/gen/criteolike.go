package gen

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// criteoTables lists rows and Zipf exponents of the tables C1 to C26. The row counts are the counts
// of the Criteo Kaggle log, limited to 20,000. The exponents and the contexts below were fitted, on
// 8,000 inputs, to two statistics of 8,000 rows of the log. The first is the share of the accesses
// to the hottest 2% and 10% of each table's rows (fitted to 4 points on average). The second is the
// share of inputs that the hottest rows of all tables serve.
var criteoTables = []struct {
	rows int
	zipf float64
}{
	{1460, 2.3}, {583, 0.95}, {20000, 0.85}, {20000, 0.95}, {305, 2}, {24, 1.2}, {12517, 0.65}, {633, 2.3}, {3, 3},
	{20000, 0.95}, {5683, 0.7}, {20000, 0.85}, {3194, 0.7}, {27, 1.35}, {14992, 0.8}, {20000, 0.9}, {10, 1.15}, {5652, 0.9},
	{2173, 2.6}, {4, 0.9}, {20000, 0.85}, {18, 2.55}, {15, 1.3}, {20000, 1.1}, {105, 1.5}, {20000, 1.25},
}

// CriteoLike returns parameters whose first 8,000 inputs resemble the Criteo Kaggle log. About a
// quarter of the inputs are clicks. The hottest fifth of the rows that occur serves every lookup of
// about a fifth of the inputs. There are 13 dense features and 26 tables with 207,398 rows in
// total.
func CriteoLike(seed uint64) Params {
	p := Params{
		Name:        "criteo-like",
		Seed:        seed,
		Dense:       13,
		Contexts:    3000,
		ContextZipf: 0.75,
		List:        4,
		Levels:      1,
		Rho:         0.96,
		Signal:      2,
		Bias:        -1.75,
	}
	for i, t := range criteoTables {
		table := dlrm.Table{Name: fmt.Sprintf("C%d", i+1), Rows: t.rows, Lookups: 1}
		p.Tables = append(p.Tables, Table{Table: table, Zipf: t.zipf})
	}
	return p
}
