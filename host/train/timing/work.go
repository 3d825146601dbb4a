package timing

// Work counts what a mini-batch asks of the machine. Counts depend on indices and never on
// values. Its fields are those that several systems share.
type Work struct {
	Inputs int `json:"inputs"`
	// Popular inputs have all rows among the hot ones.
	Popular int `json:"popular,omitempty"`
	// Rows with gradients: distinct ones of the mini-batch that are hot and cold, and the
	// sum over GPUs of the distinct ones of each.
	HotRows  int `json:"hot_rows,omitempty"`
	ColdRows int `json:"cold_rows,omitempty"`
	Listed   int `json:"listed,omitempty"`
	// HotTable is the number of rows that each GPU holds.
	HotTable int `json:"hot_table,omitempty"`
	// ColdCopies counts the cold rows that are copied to GPUs: the sum over GPUs of the
	// distinct ones of each.
	ColdCopies int `json:"cold_copies,omitempty"`
	// Rows that move, or are copied, from host to GPUs and back before the mini-batch.
	Promoted int `json:"promoted,omitempty"`
	Demoted  int `json:"demoted,omitempty"`
	// Own has the counts that only one system needs, in a type of that system. Its order
	// reads them with the function [Own]. Nil means the zero value of the type.
	Own any `json:"own,omitempty"`
}

// Learner is an Own of a system whose accelerator learns. Pictures show such a mini-batch.
type Learner interface {
	Learns() bool // before the mini-batch, while the one before it is trained on
}

// Own returns the counts of one system. It panics if they are another system's.
func Own[T any](w Work) (own T) {
	if w.Own != nil {
		own = w.Own.(T)
	}
	return own
}
