package interp

// opcode is the operation of an instruction. All operations except opWide use values of at most 64
// bits, one word each.
type opcode uint8

const (
	opWide opcode = iota // wide[imm]; marks as opUpdate

	opCopy
	opNot    // imm is the result's mask, for all operators that need one
	opRedAnd // a == imm
	opRedXor
	opAdd
	opSub
	opMul
	opDivU
	opModU
	opAnd
	opOr
	opXor
	opEq
	opNe
	opLtU
	opLeU
	opLtS // sh = 64 - width
	opShl
	opShrU
	opShrS // sh = 64 - width
	opMux
	opSlice  // from bit sh of the word a
	opSlice2 // from bit sh of the words a, a+1
	opConcat // a << sh | b
	opSExt   // sh = 64 - width of a
	opLowest
	opEncode
	opPopCount

	opMemRead // address a, of mems[b]
	opOrN     // args[b:c]
	opConcatN // args[b:c], pairs of slot and shift
	opElem    // element a of args[b:c]
	opEqLanes // a in args[b:c]
	opSelect  // mask a, elements args[b:c]

	// These opcodes have imm results, starting at out, and the marks spans[fan:].
	opUpdate // index a, value args[b], elements args[b+1:c]
	opRoute  // valid a, destinations args[b:c]
)

// instr is an instruction. Lower-case letters in the comments above denote the values of these
// slots. A change of the result makes marks[fan:end] pending.
type instr struct {
	imm      uint64
	out      uint32
	a, b, c  uint32
	fan, end uint32
	op       opcode
	sh       uint8
}

// spanned reports whether in.fan is an index into spans, one span per result, instead of marks.
func (in *instr) spanned() bool { return in.op == opWide || in.op == opUpdate || in.op == opRoute }
