package kernel_test

import (
	"encoding/binary"
	"math/bits"
	"strings"

	. "github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// memory contains the bytes of each field of a structure.
type memory map[string][]byte

// run executes k on memory by the definition of its operations, lane by lane, and returns the
// groups that changed.
func run(k *Kernel, m memory) (changed uint64) {
	values := make([][]uint64, len(k.Insts))
	for n, i := range k.Insts {
		values[n] = make([]uint64, k.Lanes)
		for l := range k.Lanes {
			if k.Masked && !m.bit(k.Mask, l) {
				continue
			}
			arg := func(a int) uint64 { return values[i.Args[a]][l] }
			if n := i.At.Size / 64; i.Op == StoreWords && (len(i.Args) == n || arg(n) != 0) {
				for w := range n {
					at := Place{Field: i.At.Field, Bytes: i.At.Bytes + 8*(l*n+w), Size: 64}
					if m.put(k, Inst{Op: Store, At: at}, 0, arg(w)) && i.Group >= 0 {
						changed |= 1 << i.Group
					}
				}
			}
			if i.Op == Copy && arg(2) != 0 {
				if m.copy(i, int(arg(0)), int(arg(1))) && i.Group >= 0 {
					changed |= 1 << i.Group
				}
			}
			if i.Op == StoreRow && arg(RowWords+1) != 0 {
				for w := range RowWords {
					at := Place{Field: i.At.Field, Bytes: i.At.Bytes + int(arg(RowWords)) + 8*w, Size: 64}
					m.put(k, Inst{Op: Store, At: at}, 0, arg(w))
				}
			}
			if i.Op == Scatter && arg(2) != 0 {
				at := i.At
				at.Bytes += int(arg(1))
				if m.put(k, Inst{Op: Store, At: at}, 0, arg(0)) && i.Group >= 0 {
					changed |= 1 << i.Group
				}
			}
			values[n][l] = lane(k, m, i, l, arg)
			if stored := i.Op == Store || i.Op == StoreMask; stored && (len(i.Args) < 2 || arg(1) != 0) {
				if m.put(k, i, l, arg(0)) && i.Group >= 0 {
					changed |= 1 << i.Group
				}
			}
		}
	}
	return changed
}

func lane(k *Kernel, m memory, i Inst, l int, arg func(int) uint64) uint64 {
	is := func(c bool) uint64 {
		if c {
			return 1
		}
		return 0
	}
	signed := func(x uint64) int64 { return int64(x<<(64-i.Size)) >> (64 - i.Size) }
	by := func(n uint64) uint64 { return min(n, 64) }
	x := uint64(0)
	if i.At.Again {
		l %= k.Round
	}
	switch i.Op {
	case Const:
		x = i.Imm
	case Table:
		x = uint64(i.Numbers[l])
	case Load:
		x = m.word(i.At, l*i.At.Size/8)
	case Pick:
		x = m.word(i.At, i.Numbers[l])
	case Splat:
		x = m.word(i.At, 0)
	case Gather:
		if arg(1) != 0 {
			x = m.word(i.At, int(arg(0)))
		}
	case Row:
		x = m.word(Place{Field: i.At.Field, Bytes: i.At.Bytes, Size: 64}, int(arg(0))+8*int(i.Imm))
	case LoadMask:
		return is(m.bit(i.At, l))
	case PickMask:
		return is(m.bit(i.At, i.Numbers[l]))
	case Add:
		x = arg(0) + arg(1)
	case Sub:
		x = arg(0) - arg(1)
	case Mul:
		x = arg(0) * arg(1)
	case And, MaskAnd:
		x = arg(0) & arg(1)
	case Or, MaskOr:
		x = arg(0) | arg(1)
	case Xor, MaskXor:
		x = arg(0) ^ arg(1)
	case Shl:
		x = arg(0) << i.Imm
	case Resize:
		x = arg(0)
	case Shr:
		x = arg(0) >> i.Imm
	case ShlBy:
		x = arg(0) << by(arg(1))
	case ShrBy:
		x = arg(0) >> by(arg(1))
	case SarBy:
		x = uint64(signed(arg(0)) >> by(arg(1)))
	case Count:
		x = uint64(bits.OnesCount64(arg(0)))
	case LeadingZeros:
		x = uint64(bits.LeadingZeros64(arg(0)) - 64 + i.Size)
	case Parities:
		for b, row := range i.Rows {
			for n, mask := range row {
				x ^= uint64(bits.OnesCount64(arg(n)&mask)%2) << b
			}
		}
	case Equal:
		x = is(arg(0) == arg(1))
	case NotEqual:
		x = is(arg(0) != arg(1))
	case Less:
		x = is(arg(0) < arg(1))
	case LessEqual:
		x = is(arg(0) <= arg(1))
	case LessSigned:
		x = is(signed(arg(0)) < signed(arg(1)))
	case Test:
		x = is(arg(0)&i.Imm != 0)
	case Keep:
		x = arg(0) * arg(1)
	case Blend:
		if x = arg(2); arg(0) != 0 {
			x = arg(1)
		}
	case MaskAndNot:
		x = arg(0) &^ arg(1)
	case MaskNot:
		x = arg(0) ^ 1
	}
	if strings.HasSuffix(i.Op.Signature(), ">m") {
		return x & 1
	}
	return x & (^uint64(0) >> (64 - max(i.Size, 1)))
}

// word returns the at.Size bits that begin the given number of bytes behind at.
func (m memory) word(at Place, bytes int) uint64 {
	var x [8]byte
	copy(x[:at.Size/8], m[at.Field][at.Bytes+bytes:])
	return binary.LittleEndian.Uint64(x[:])
}

func (m memory) bit(at Place, n int) bool { return m[at.Field][at.Bytes+n/8]>>(n%8)&1 != 0 }

// copy copies memory for a lane, and reports whether that changes anything.
func (m memory) copy(i Inst, from, to int) bool {
	bytes := i.At.Size / 8
	source, dest := m[i.From.Field][i.From.Bytes+from:][:bytes], m[i.At.Field][i.At.Bytes+to:][:bytes]
	changed := string(source) != string(dest)
	copy(dest, source)
	return changed
}

// put stores x, and reports whether that changes anything.
func (m memory) put(k *Kernel, i Inst, l int, x uint64) bool {
	if i.Op == StoreMask {
		old, b := m.bit(i.At, l), &m[i.At.Field][i.At.Bytes+l/8]
		*b = *b&^(1<<(l%8)) | byte(x)<<(l%8)
		return old != (x != 0)
	}
	at := i.At.Bytes + l*i.At.Size/8
	var bytes [8]byte
	binary.LittleEndian.PutUint64(bytes[:], x)
	changed := m.word(i.At, l*i.At.Size/8) != x // bits lost at the top also count: there must be none
	copy(m[i.At.Field][at:at+i.At.Size/8], bytes[:])
	return changed
}
