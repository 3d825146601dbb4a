package kernel

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Op is an operation. Unless stated otherwise, operands and result are words, and overflow is
// discarded.
type Op uint8

// Operations.
const (
	Const        Op = iota // Imm in each lane
	Table                  // Numbers by lane
	Load                   // lane l of At, extended with zeros
	Pick                   // the At.Size bits that begin Numbers[l] bytes behind At, extended with zeros
	Splat                  // the At.Size bits at At, in each lane
	Gather                 // the At.Size bits that begin operand 0 bytes behind At, in lanes of mask 1, else zero
	LoadMask               // mask: bit l at At
	PickMask               // mask: bit Numbers[l] at At
	Add                    // sum
	Sub                    // difference
	Mul                    // product
	And                    // bitwise
	Or                     // bitwise
	Xor                    // bitwise
	Shl                    // operand 0 shifted left by Imm, less than the size of a word
	Shr                    // operand 0 shifted right by Imm, zeros from above
	ShlBy                  // operand 0 shifted left by operand 1, any number
	ShrBy                  // moved down by operand 1
	SarBy                  // operand 0 shifted right by operand 1, copies of the top bit from above
	Count                  // number of bits that are set
	LeadingZeros           // number of zeros before the highest bit that is set
	Parities               // bit b is the parity of the bits of operands that Rows[b] selects, words of 64 bits
	Equal                  // mask: operands 0 and 1 are equal
	NotEqual               // mask: operands 0 and 1 differ
	Resize                 // operand 0, of another size, extended with zeros or cut at the top
	Less                   // mask: operand 0 < operand 1, unsigned
	LessEqual              // mask: operand 0 <= operand 1, unsigned
	LessSigned             // mask: operand 0 < operand 1, signed
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
	StoreRow               // operands become the row at an offset in bytes behind At, in lanes of a mask; the last two operands are the offset and the mask
	Scatter                // operand 0 becomes the bits of size At.Size that begin operand 1 bytes behind At, in lanes of mask 2, in their order
	Begin                  // instructions up to End may be skipped if no lane is in mask 0
	End
	numOps
)

// signatures contains the operands of each operation, w for words and m for masks, and after an
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

// Place is a position in a field of the structure that kernels access. Masks have a bit per lane.
type Place struct {
	Part  string // field of the model that contains the field; empty for the state
	Field string
	Bytes int  // offset in bytes from the beginning of the field
	Size  int  // bits of a lane; for words only
	Away  bool // the model contains only a pointer to the part
	Again bool // lanes are the same in each round of a kernel
}

// Value is the number of the instruction that computes it.
type Value int

// None is the absence of a value.
const None Value = -1

// Inst is an instruction.
type Inst struct {
	Op      Op
	Size    int // bits bits of its words; 0 if it has none
	Args    []Value
	Imm     uint64
	At      Place
	From    Place      // source of a copy
	Numbers []int      // by lane
	Rows    [][]uint64 // masks by bit of the result, and by operand
	Group   int        // group of changes of a store or copy; -1 for none
}

// Beyond is the number of bytes that kernels may read beyond the last field.
const Beyond = 128

// Next specifies how the data after a part away, the inputs of the next cycle, is fetched into the
// caches.
type Next struct {
	Turns string // part of which each iteration fetches a cache line; empty for none
	Loads bool   // loads of lanes also fetch the next lanes
}

// Kernel is a function that computes lanes.
type Kernel struct {
	Name   string
	Doc    string
	Lanes  int
	Round  int // lanes after which places that are Again begin again; 0 if there are none
	Size   int // bits of a word of the next instructions: 8, 16, 32 or 64
	Widest int // maximum size of words
	Mask   Place
	Masked bool // only lanes of Mask are needed; other lanes may be skipped
	Lines  bool // fields are aligned to cache lines
	Groups int  // number of groups of changes; the function returns a bit for each group in which a stored value differs from the old value
	Next   Next
	Insts  []Inst

	known map[key]Value
}

// New begins a kernel that computes words of size bits in the given number of lanes. Setting its
// Size later selects shorter words.
func New(name string, lanes, size int) *Kernel {
	return &Kernel{Name: name, Lanes: lanes, Size: size, Widest: size, Next: Next{Loads: true}, known: map[key]Value{}}
}

// add appends an instruction. It reuses an equal instruction that has no effect.
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

// key contains everything that two equal instructions without an effect have in common.
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

// mixed reports whether there are words of several sizes, or operations that only the longest
// vectors support.
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

// Constant reports whether v is a constant, and returns its value.
func (k *Kernel) Constant(v Value) (uint64, bool) {
	i := k.Insts[v]
	return i.Imm, i.Op == Const
}

// Const returns the same number in each lane.
func (k *Kernel) Const(x uint64) Value { return k.add(Inst{Op: Const, Imm: x & k.ones()}) }

// Table returns a number for each lane.
func (k *Kernel) Table(numbers []int) Value {
	if !slices.ContainsFunc(numbers, func(n int) bool { return n != numbers[0] }) {
		return k.Const(uint64(numbers[0]))
	}
	return k.add(Inst{Op: Table, Numbers: numbers})
}

// Load returns the lanes at a place.
func (k *Kernel) Load(at Place) Value { return k.add(Inst{Op: Load, At: at}) }

// Pick returns, for lane l, the at.Size bits that begin bytes[l] bytes behind at.
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

// Gather returns, in the lanes of a mask, the at.Size bits that begin the given number of bytes
// behind at.
func (k *Kernel) Gather(at Place, bytes, mask Value) Value {
	return k.add(Inst{Op: Gather, Args: []Value{bytes, mask}, At: at})
}

// PickMask returns bit numbers[l] behind at for lane l.
func (k *Kernel) PickMask(at Place, numbers []int) Value {
	for l, n := range numbers {
		if n != l+numbers[0] || numbers[0]%8 != 0 {
			return k.add(Inst{Op: PickMask, At: at, Numbers: numbers})
		}
	}
	at.Bytes += numbers[0] / 8
	return k.LoadMask(at)
}

// LoadMask returns the bits at a place.
func (k *Kernel) LoadMask(at Place) Value {
	at.Size = 0
	return k.add(Inst{Op: LoadMask, At: at})
}

// Do returns the result of an operation whose only parameters are values.
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

// always reports whether a mask contains all lanes, because it compares a constant with itself.
func (k *Kernel) always(v Value) bool {
	i := k.Insts[v]
	if i.Op != Equal {
		return false
	}
	_, ok := k.Constant(i.Args[0])
	return ok && i.Args[0] == i.Args[1]
}

// And returns the bits of x that are set in a constant.
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

// Shift shifts x by n bits, up if n is positive.
func (k *Kernel) Shift(x Value, n int) Value {
	switch {
	case n == 0:
		return x
	case n > 0:
		return k.add(Inst{Op: Shl, Args: []Value{x}, Imm: uint64(n)})
	}
	return k.add(Inst{Op: Shr, Args: []Value{x}, Imm: uint64(-n)})
}

// Test returns a mask of the lanes in which x has one of the bits set.
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

// Store stores x, words or a mask, at a place, in the lanes of a mask if it is not None. It reports
// changes in a group unless the group is negative.
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

// StoreWords stores lanes of several words at a place, in the lanes of a mask if it is not None. It
// reports changes in a group unless the group is negative.
func (k *Kernel) StoreWords(at Place, words []Value, mask Value, group int) {
	k.Groups = max(k.Groups, group+1)
	at.Size = 64 * len(words)
	i := Inst{Op: StoreWords, Args: slices.Clone(words), At: at, Group: group}
	if mask != None {
		i.Args = append(i.Args, mask)
	}
	k.add(i)
}

// Copy copies at.Size bits in each lane of a mask, from an offset in bytes behind one place to an
// offset behind another. It must be the last instruction of a kernel. It reports changes in a group
// unless the group is negative.
func (k *Kernel) Copy(from Place, fromBytes Value, at Place, bytes, mask Value, group int) {
	k.Groups = max(k.Groups, group+1)
	k.add(Inst{Op: Copy, Args: []Value{fromBytes, bytes, mask}, From: from, At: at, Group: group})
}

// Scatter stores x, in the lanes of a mask, at an offset in bytes behind a place. It reports
// changes in a group unless the group is negative.
func (k *Kernel) Scatter(at Place, x, bytes, mask Value, group int) {
	k.Groups = max(k.Groups, group+1)
	k.add(Inst{Op: Scatter, Args: []Value{x, bytes, mask}, At: at, Group: group})
}

// Within calls body to add instructions that are needed only in lanes of a mask. The kernel may
// skip them if no lane is in the mask. Nothing else may use their results, including values that
// they store without such a mask.
func (k *Kernel) Within(mask Value, body func()) {
	before := maps.Clone(k.known)
	k.add(Inst{Op: Begin, Args: []Value{mask}})
	body()
	k.add(Inst{Op: End})
	k.known = before
}

// Repeat multiplies the lanes of k by times. The additional lanes follow the present ones in
// memory.
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

// String returns the kernel as text, with an instruction per line.
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

// Row returns a word of the rows at offsets in bytes behind a place.
func (k *Kernel) Row(at Place, bytes Value, word int) Value {
	return k.add(Inst{Op: Row, Args: []Value{bytes}, At: at, Imm: uint64(word)})
}

// StoreRow stores words to the rows at offsets in bytes behind a place, in the lanes of a mask.
func (k *Kernel) StoreRow(at Place, words []Value, bytes, mask Value) {
	k.add(Inst{Op: StoreRow, Args: append(slices.Clone(words), bytes, mask), At: at, Group: -1})
}

// Parities returns, as bit b of each lane, the parity of the bits of the words x that rows[b]
// selects. rows[b] contains a mask for each word.
func (k *Kernel) Parities(x []Value, rows [][]uint64) Value {
	return k.add(Inst{Op: Parities, Args: x, Rows: rows})
}

// WordBits returns the size of the words of i, or the size of the widest words if i has none.
func (k *Kernel) WordBits(i Inst) int {
	if i.Size == 0 {
		return k.Widest
	}
	return i.Size
}
