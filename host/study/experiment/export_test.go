package experiment

// RowsBytes exports rowsBytes to tests.
var RowsBytes = rowsBytes

// NeedsOf returns the estimated memory of a job.
func NeedsOf(j Job) float64 { return sumOf(j.needs()) }
