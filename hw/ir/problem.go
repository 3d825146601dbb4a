package ir

// Problem is a mistake that a check found in a design.
type Problem struct {
	ID     string // see hw.Error
	Module string
	Text   string
	Pos    Pos
	Sig    *Signal // whose driver is the problem, or nil
}
