package kernel

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Op is an operation. Where nothing else is said, operands and result are words, and what
// does not fit is lost at the top.
type Op uint8

// Operations.
const (
	Const        Op = iota // Imm in each lane
	Table                  // Numbers by lane
	Load                   // lane l of At, extended with zeros
	Pick                   // the bits of size At.Size that begin Numbers[l] bytes behind At, extended with zeros
	Splat                  // the bits of size At.Size at At, in each lane
	Gather                 // the bits of size At.Size that begin operand 0 bytes behind At, in lanes of mask 1, else zero
	LoadMask               // mask: bit l at At
	PickMask               // mask: bit Numbers[l] at At
	Add                    // sum
	Sub                    // difference
	Mul                    // product
	And                    // bitwise
	Or                     // bitwise
	Xor                    // bitwise
	Shl                    // operand 0 moved up by Imm, less than the size of a word
	Shr                    // moved down by Imm, zeros from above
	ShlBy                  // moved up by operand 1, any number
	ShrBy                  // moved down by operand 1
	SarBy                  // moved down by operand 1, copies of the top bit from above
	Count                  // number of bits that are set
	LeadingZeros           // number of zeros before the highest bit that is set
	Parities               // bit b is the parity of the bits of operands that Rows[b] selects, words of 64 bits
	Equal                  // mask: operands 0 and 1 are equal
	NotEqual               // mask: they are not
	Resize                 // operand 0, of another size, extended with zeros or cut at the top
	Less                   // mask: operand 0 is below operand 1, without sign
	LessEqual              // mask: it is not above
	LessSigned             // mask: the same with sign
	Test                   // mask: a bit of Imm is set in operand 0
	Keep                   // operand 1 in lanes of mask 0, else zero
	Blend                  // operand 1 in lanes of mask 0, else operand 2
	MaskAnd                // mask: of masks
	MaskOr                 // mask: of masks
	MaskXor                // mask: of masks
	MaskAndNot             // mask: mask 0 without mask 1
	MaskNot                // mask: of a mask
	Store                  // operand 0 becomes lane l of At, in lanes of mask 1 if there is one
	StoreMask              // mask 0 becomes the bits of At, in lanes of mask 1 if there is one
	StoreWords             // operands, words of 64 bits, become lane l of At, one behind the other, in lanes of a mask after them if there is one
	Copy                   // bits of size At.Size, or words, operand 0 bytes behind From go to operand 1 bytes behind At, in lanes of mask 2, in their order
	Row                    // word Imm of the row that begins operand 0 bytes behind At
	StoreRow               // operands become the row that begins so many bytes behind At as the next one says, in lanes of a mask, the last
	Scatter                // operand 0 becomes the bits of size At.Size that begin operand 1 bytes behind At, in lanes of mask 2, in their order
	Begin                  // what follows, as far as End, may be left out if no lane is in mask 0
	End
	numOps
)

// signatures are the operands of an operation, w for words and m for masks, and after an
// arrow its result.
var signatures = [numOps]string{
	Const: ">w", Table: ">w", Load: ">w", Pick: ">w", Splat: ">w", Gather: "wm>w", LoadMask: ">m", PickMask: ">m",
	Add: "ww>w", Sub: "ww>w", Mul: "ww>w", And: "ww>w", Or: "ww>w", Xor: "ww>w", Shl: "w>w", Shr: "w>w",
	ShlBy: "ww>w", ShrBy: "ww>w", SarBy: "ww>w", Count: "w>w", LeadingZeros: "w>w", Parities: "w>w",
	Equal: "ww>m", NotEqual: "ww>m", Less: "ww>m", LessEqual: "ww>m", LessSigned: "ww>m", Test: "w>m", Keep: "mw>w", Blend: "mww>w",
	MaskAnd: "mm>m", MaskOr: "mm>m", MaskXor: "mm>m", MaskAndNot: "mm>m", MaskNot: "m>m",
	Store: "w>", StoreMask: "m>", StoreWords: "ww>", Copy: "wwm>", Row: "w>w", StoreRow: "wwwwwwwwwm>", Scatter: "wwm>", Resize: "w>w", Begin: "m>", End: ">",
}

var names = [numOps]string{
	Const: "const", Table: "table", Load: "load", Pick: "pick", Splat: "splat", Gather: "gather", LoadMask: "loadmask", PickMask: "pickmask",
	Add: "add", Sub: "sub", Mul: "mul", And: "and", Or: "or", Xor: "xor", Shl: "shl", Shr: "shr",
	ShlBy: "shlby", ShrBy: "shrby", SarBy: "sarby", Count: "count", LeadingZeros: "leadingzeros", Parities: "parities",
	Equal: "equal", NotEqual: "notequal", Less: "less", LessEqual: "lessequal", LessSigned: "lesssigned", Test: "test", Keep: "keep", Blend: "blend",
	MaskAnd: "maskand", MaskOr: "maskor", MaskXor: "maskxor", MaskAndNot: "maskandnot", MaskNot: "masknot",
	Store: "store", StoreMask: "storemask", StoreWords: "storewords", Copy: "copy", Row: "row", StoreRow: "storerow", Scatter: "scatter", Resize: "resize", Begin: "begin", End: "end",
}

// String returns the name of an operation.
func (op Op) String() string { return names[op] }

// mask reports whether the result is a mask.
func (op Op) mask() bool { return strings.HasSuffix(signatures[op], ">m") }

// result reports whether an operation has a result.
func (op Op) result() bool { return !strings.HasSuffix(signatures[op], ">") }

// Place is in a field of the structure that kernels work on. Masks have a bit a lane.
type Place struct {
	Part  string // field of the model that it is a field of; empty for the state
	Field string
	Bytes int  // behind the beginning of the field
	Size  int  // bits of a lane; of words only
	Away  bool // the model only points to the part
	Again bool // lanes are the same in each round of a kernel
}

// Value is the number of the instruction that computes it.
type Value int

// None is no value.
const None Value = -1

// Inst is an instruction.
type Inst struct {
	Op      Op
	Size    int // bits of its words; 0 if it has none
	Args    []Value
	Imm     uint64
	At      Place
	From    Place      // of a copy
	Numbers []int      // by lane
	Rows    [][]uint64 // masks by bit of the result, and by operand
	Group   int        // of changes that a store or copy belongs to; -1 for none
}

// Beyond is how many bytes kernels may read behind the last field.
const Beyond = 128

// Next is how what follows a part away, the inputs of the next cycle, gets into the caches.
type Next struct {
	Turns string // part of which each turn fetches a line; empty if none does
	Loads bool   // what loads lanes fetches the next ones
}

// Kernel is a function that computes lanes.
type Kernel struct {
	Name   string
	Doc    string
	Lanes  int
	Round  int // lanes after which places that are Again begin again; 0 if there are none
	Size   int // bits of a word of the next instructions: 8, 16, 32 or 64
	Widest int // greatest size of words
	Mask   Place
	Masked bool // only lanes of Mask are of use; the others may be left out
	Lines  bool // fields begin at lines of the cache
	Groups int  // of changes; the function returns a bit for each: something stored is not what was there
	Next   Next
	Insts  []Inst

	known map[key]Value
}

// New begins a kernel of so many lanes that computes words of size bits, and, if its Size is set
// later, of fewer.
func New(name string, lanes, size int) *Kernel {
	return &Kernel{Name: name, Lanes: lanes, Size: size, Widest: size, Next: Next{Loads: true}, known: map[key]Value{}}
}

// add appends an instruction. One without an effect that is there already is not made twice.
func (k *Kernel) add(i Inst) Value {
	if strings.Contains(signatures[i.Op], "w") {
		i.Size = k.Size
	}
	if i.Op.result() {
		known := i.key()
		if v, ok := k.known[known]; ok {
			return v
		}
		k.known[known] = Value(len(k.Insts))
	}
	k.Insts = append(k.Insts, i)
	return Value(len(k.Insts) - 1)
}

// key is all that two instructions without an effect have in common if they do the same.
type key struct {
	op   Op
	size int
	imm  uint64
	at   Place
	rest string // operands, numbers and rows
}

func (i Inst) key() key {
	rest := binary.AppendUvarint(nil, uint64(len(i.Args)))
	for _, a := range i.Args {
		rest = binary.AppendUvarint(rest, uint64(a))
	}
	for _, n := range i.Numbers {
		rest = binary.AppendVarint(rest, int64(n))
	}
	for _, x := range slices.Concat(i.Rows...) {
		rest = binary.AppendUvarint(rest, x)
	}
	return key{i.Op, i.Size, i.Imm, i.At, string(rest)}
}

// mixed reports whether there are words of several sizes, or what is done in the longest vectors only.
func (k *Kernel) mixed() bool {
	return slices.ContainsFunc(k.Insts, func(i Inst) bool {
		return i.Size > 0 && i.Size != k.Widest || slices.Contains([]Op{Scatter, LeadingZeros, Parities, Row, StoreRow, Begin}, i.Op)
	})
}

// ones returns the bits of a word of the present size.
func (k *Kernel) ones() uint64 { return Ones(k.Size) }

// Ones returns a word of size bits that are all set.
func Ones(size int) uint64 { return ^uint64(0) >> (64 - size) }

// IsMask reports whether v is a mask.
func (k *Kernel) IsMask(v Value) bool { return k.Insts[v].Op.mask() }

// Constant reports whether v is a constant, and which.
func (k *Kernel) Constant(v Value) (uint64, bool) {
	i := k.Insts[v]
	return i.Imm, i.Op == Const
}

// Const returns a number in each lane.
func (k *Kernel) Const(x uint64) Value { return k.add(Inst{Op: Const, Imm: x & k.ones()}) }

// Table has a number for each lane.
func (k *Kernel) Table(numbers []int) Value {
	if !slices.ContainsFunc(numbers, func(n int) bool { return n != numbers[0] }) {
		return k.Const(uint64(numbers[0]))
	}
	return k.add(Inst{Op: Table, Numbers: numbers})
}

// Load returns what memory has.
func (k *Kernel) Load(at Place) Value { return k.add(Inst{Op: Load, At: at}) }

// Pick takes, for lane l, at.Size bits from bytes[l] bytes behind at on.
func (k *Kernel) Pick(at Place, bytes []int) Value {
	at.Bytes += bytes[0]
	same, follow := true, true
	from := make([]int, len(bytes))
	for l, b := range bytes {
		from[l] = b - bytes[0]
		same = same && from[l] == 0
		follow = follow && from[l] == l*at.Size/8
	}
	switch {
	case same:
		return k.add(Inst{Op: Splat, At: at})
	case follow:
		return k.Load(at)
	}
	at.Bytes -= bytes[0]
	return k.add(Inst{Op: Pick, At: at, Numbers: bytes})
}

// Gather takes, in the lanes of a mask, at.Size bits from so many bytes behind at on.
func (k *Kernel) Gather(at Place, bytes, mask Value) Value {
	return k.add(Inst{Op: Gather, Args: []Value{bytes, mask}, At: at})
}

// PickMask takes bit numbers[l] behind at for lane l.
func (k *Kernel) PickMask(at Place, numbers []int) Value {
	for l, n := range numbers {
		if n != l+numbers[0] || numbers[0]%8 != 0 {
			return k.add(Inst{Op: PickMask, At: at, Numbers: numbers})
		}
	}
	at.Bytes += numbers[0] / 8
	return k.LoadMask(at)
}

// LoadMask takes the bits at a place.
func (k *Kernel) LoadMask(at Place) Value {
	at.Size = 0
	return k.add(Inst{Op: LoadMask, At: at})
}

// Do returns an operation on values that needs nothing else.
func (k *Kernel) Do(op Op, args ...Value) Value {
	for n, a := range args {
		switch x := k.Insts[a]; {
		case op == MaskAnd && k.always(a):
			return args[1-n]
		case op == MaskAnd && x.Op == MaskNot:
			return k.Do(MaskAndNot, args[1-n], x.Args[0])
		case op == MaskAndNot && n == 1 && x.Op == MaskNot:
			return k.Do(MaskAnd, args[0], x.Args[0])
		case op == MaskNot && x.Op == MaskNot:
			return x.Args[0]
		}
	}
	return k.add(Inst{Op: op, Args: args})
}

// always reports whether a mask has all lanes, being a comparison of a constant with itself.
func (k *Kernel) always(v Value) bool {
	i := k.Insts[v]
	if i.Op != Equal {
		return false
	}
	_, ok := k.Constant(i.Args[0])
	return ok && i.Args[0] == i.Args[1]
}

// And keeps the bits of x that are in a constant.
func (k *Kernel) And(x Value, bits uint64) Value {
	if bits&k.ones() == k.ones() {
		return x
	}
	if c, ok := k.Constant(x); ok {
		return k.Const(c & bits)
	}
	return k.Do(And, x, k.Const(bits))
}

// Or returns the union of bits.
func (k *Kernel) Or(x, y Value) Value {
	if c, ok := k.Constant(x); ok && c == 0 {
		return y
	}
	if c, ok := k.Constant(y); ok && c == 0 {
		return x
	}
	return k.Do(Or, x, y)
}

// Shift moves x by n bits, up if n is positive.
func (k *Kernel) Shift(x Value, n int) Value {
	switch {
	case n == 0:
		return x
	case n > 0:
		return k.add(Inst{Op: Shl, Args: []Value{x}, Imm: uint64(n)})
	}
	return k.add(Inst{Op: Shr, Args: []Value{x}, Imm: uint64(-n)})
}

// Test returns a mask of the lanes in which x has one of the bits.
func (k *Kernel) Test(x Value, bits uint64) Value {
	return k.add(Inst{Op: Test, Args: []Value{x}, Imm: bits})
}

// Keep returns x in the lanes of a mask, else zero.
func (k *Kernel) Keep(mask, x Value) Value {
	if c, ok := k.Constant(x); ok && c == 0 {
		return x
	}
	return k.Do(Keep, mask, x)
}

// Resize returns x in words of the present size.
func (k *Kernel) Resize(x Value) Value {
	if k.Insts[x].Size == k.Size {
		return x
	}
	if c, ok := k.Constant(x); ok {
		return k.Const(c)
	}
	return k.add(Inst{Op: Resize, Args: []Value{x}})
}

// Store puts x, words or a mask, where at says, in the lanes of a mask if it is not None.
// A change is noted in a group, if that is not negative.
func (k *Kernel) Store(at Place, x, mask Value, group int) {
	i := Inst{Op: Store, Args: []Value{x}, At: at, Group: group}
	if k.IsMask(x) {
		i.Op = StoreMask
	}
	if mask != None {
		i.Args = append(i.Args, mask)
	}
	k.Groups = max(k.Groups, group+1)
	k.add(i)
}

// StoreWords puts lanes of several words where at says, in the lanes of a mask if it is not None.
// A change is noted in a group, if that is not negative.
func (k *Kernel) StoreWords(at Place, words []Value, mask Value, group int) {
	k.Groups = max(k.Groups, group+1)
	at.Size = 64 * len(words)
	i := Inst{Op: StoreWords, Args: slices.Clone(words), At: at, Group: group}
	if mask != None {
		i.Args = append(i.Args, mask)
	}
	k.add(i)
}

// Copy copies memory, at.Size bits in each lane of a mask, from so many bytes behind a place to
// so many behind another. It comes last in a kernel. A change is noted in a group, if that is
// not negative.
func (k *Kernel) Copy(from Place, fromBytes Value, at Place, bytes, mask Value, group int) {
	k.Groups = max(k.Groups, group+1)
	k.add(Inst{Op: Copy, Args: []Value{fromBytes, bytes, mask}, From: from, At: at, Group: group})
}

// Scatter puts x, in the lanes of a mask, so many bytes behind a place. A change is noted in a
// group, if that is not negative.
func (k *Kernel) Scatter(at Place, x, bytes, mask Value, group int) {
	k.Groups = max(k.Groups, group+1)
	k.add(Inst{Op: Scatter, Args: []Value{x, bytes, mask}, At: at, Group: group})
}

// Within has body add what is only of use in lanes of a mask: what it stores without one of those as a mask, and
// what it computes, is for nothing else.
func (k *Kernel) Within(mask Value, body func()) {
	before := maps.Clone(k.known)
	k.add(Inst{Op: Begin, Args: []Value{mask}})
	body()
	k.add(Inst{Op: End})
	k.known = before
}

// Repeat has k do as much for other lanes, so many times in all, which follow the present ones in memory.
func (k *Kernel) Repeat(times int) {
	round := k.Lanes
	k.Lanes *= times
	if slices.ContainsFunc(k.Insts, func(i Inst) bool { return i.At.Again }) {
		k.Round = round
	}
	for n, i := range k.Insts {
		if i.Numbers == nil {
			continue
		}
		all := slices.Clone(i.Numbers)
		for l := round; l < k.Lanes; l++ {
			all = append(all, all[l-round]+round*(i.Numbers[1]-i.Numbers[0]))
		}
		k.Insts[n].Numbers = all
	}
}

// String returns the kernel as text, an instruction a line.
func (k *Kernel) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "kernel %s: %d lanes of %d bits\n", k.Name, k.Lanes, k.Widest)
	for n, i := range k.Insts {
		b.WriteString("  ")
		if i.Op.result() {
			fmt.Fprintf(&b, "%%%d = ", n)
		}
		b.WriteString(i.Op.String())
		for _, a := range i.Args {
			fmt.Fprintf(&b, " %%%d", a)
		}
		if i.Op == Copy {
			fmt.Fprintf(&b, " %s+%d", i.From.Field, i.From.Bytes)
		}
		if i.At.Field != "" {
			fmt.Fprintf(&b, " %s+%d", i.At.Field, i.At.Bytes)
			if i.At.Size > 0 {
				fmt.Fprintf(&b, ":%d", i.At.Size)
			}
		}
		switch i.Op {
		case Const, Test:
			fmt.Fprintf(&b, " %#x", i.Imm)
		case Shl, Shr, Row:
			fmt.Fprintf(&b, " %d", i.Imm)
		case Parities:
			fmt.Fprintf(&b, " %#x", i.Rows)
		case Table, Pick, PickMask:
			fmt.Fprintf(&b, " %v", i.Numbers)
		case Store, StoreMask, StoreWords, Copy:
			if i.Group >= 0 {
				fmt.Fprintf(&b, " group %d", i.Group)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// RowWords is the number of words of a row.
const RowWords = 8

// Row returns a word of the rows that begin so many bytes behind a place.
func (k *Kernel) Row(at Place, bytes Value, word int) Value {
	return k.add(Inst{Op: Row, Args: []Value{bytes}, At: at, Imm: uint64(word)})
}

// StoreRow puts words into the rows that begin so many bytes behind a place, in the lanes of a mask.
func (k *Kernel) StoreRow(at Place, words []Value, bytes, mask Value) {
	k.add(Inst{Op: StoreRow, Args: append(slices.Clone(words), bytes, mask), At: at, Group: -1})
}

// Parities has, as bit b of each lane, the parity of those bits of the words x that rows[b] selects: it
// has a mask for each of them.
func (k *Kernel) Parities(x []Value, rows [][]uint64) Value {
	return k.add(Inst{Op: Parities, Args: x, Rows: rows})
}

// WordBits returns the size of the words of i: of the widest ones if it has none.
func (k *Kernel) WordBits(i Inst) int {
	if i.Size == 0 {
		return k.Widest
	}
	return i.Size
}
