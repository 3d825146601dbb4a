package report

// Drawn is a mini-batch whose timelines a page shows, and why.
type Drawn struct {
	Number int
	Why    string
}
