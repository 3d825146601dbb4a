package data

import "github.com/hotline-rtl/hotline/host/rec"

// Set is a data set in memory, in the order in which a training run reads it.
type Set struct {
	Name    string
	Dense   int         // dense features of a sample
	Tables  []rec.Table // row counts cover every index that occurs
	Samples []rec.Sample
}
