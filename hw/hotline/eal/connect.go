package eal

// Connect makes a receive what from sends.
func (a Answers) Connect(from Answers) {
	a.Valid.Set(from.Valid)
	a.Data.Set(from.Data)
}
