package experiment

// For tests.
var RowsBytes = rowsBytes

// NeedsOf is what a job is estimated to need.
func NeedsOf(j Job) float64 { return sumOf(j.needs()) }
