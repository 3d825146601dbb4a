package kernel

// NumOps is the number of operations.
const NumOps = numOps

// Signature returns the operands of an operation, w for words and m for masks, and after an arrow its result.
func (op Op) Signature() string { return signatures[op] }

// Mixed reports whether only targets with words of several sizes have instructions for k.
func (k *Kernel) Mixed() bool { return k.mixed() }

// Constants returns the words that instructions broadcast.
func (a *Assembly) Constants() []uint64 { return a.consts }
