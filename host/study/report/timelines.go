package report

// Drawn is a mini-batch whose timelines a page shows, and the reason for its selection.
type Drawn struct {
	Number int
	Why    string
}
