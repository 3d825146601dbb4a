package lanes

// Connect makes l receive what from sends.
func (l Lanes) Connect(from Lanes) {
	l.Valid.Set(from.Valid)
	l.Data.Set(from.Data)
	from.Ready.Set(l.Ready)
}
