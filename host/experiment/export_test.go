package experiment

// RowsBytes is for tests.
var RowsBytes = rowsBytes
