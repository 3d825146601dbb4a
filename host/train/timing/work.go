package timing

// Work counts the work that a mini-batch requests from the machine. Counts depend only on indices,
// not on values. Its fields are shared by several systems.
type Work struct {
	Inputs int `json:"inputs"`
	// Popular inputs read only hot rows.
	Popular int `json:"popular,omitempty"`
	// Rows with gradients: distinct hot and cold rows of the mini-batch, and the sum over GPUs of
	// the distinct rows of each GPU.
	HotRows  int `json:"hot_rows,omitempty"`
	ColdRows int `json:"cold_rows,omitempty"`
	Listed   int `json:"listed,omitempty"`
	// HotTable is the number of rows that each GPU holds.
	HotTable int `json:"hot_table,omitempty"`
	// ColdCopies counts the cold rows that are copied to GPUs: the sum over GPUs of the distinct
	// rows of each GPU.
	ColdCopies int `json:"cold_copies,omitempty"`
	// Rows that move, or are copied, from host to GPUs and back before the mini-batch.
	Promoted int `json:"promoted,omitempty"`
	Demoted  int `json:"demoted,omitempty"`
	// Own has the counts that only one system needs, in a type of that system. Its order reads them
	// with the function [Own]. Nil means the zero value of the type.
	Own any `json:"own,omitempty"`
}

// Learner is implemented by the Own of a system whose accelerator learns. Plots show such a
// mini-batch.
type Learner interface {
	Learns() bool // before the mini-batch, during the previous one
}

// Own returns the counts of one system. It panics if they are another system's.
func Own[T any](w Work) (own T) {
	if w.Own != nil {
		own = w.Own.(T)
	}
	return own
}
