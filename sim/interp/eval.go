package interp

import "math/bits"

func bit(c bool) uint64 {
	if c {
		return 1
	}
	return 0
}

// settle evaluates everything pending, including the models of external modules.
func (s *Sim) settle() {
	if s.host != nil {
		s.host.Settle()
	}
	s.evaluate()
}

// evaluate evaluates pending operations in order. Operations that become pending meanwhile follow
// later in the order.
func (s *Sim) evaluate() {
	if !s.dirty {
		return
	}
	s.dirty = false
	words, top, v := s.pending.words, s.pending.top, s.vals
	n := uint64(0)
	for t := range s.region[operations].hi {
		for top[t] != 0 {
			w := t<<6 | bits.TrailingZeros64(top[t])
			for words[w] != 0 {
				i := w<<6 | bits.TrailingZeros64(words[w])
				words[w] &= words[w] - 1
				n++
				in := &s.code[i]
				var x uint64
				switch in.op {
				case opCopy:
					x = v[in.a]
				case opNot:
					x = ^v[in.a] & in.imm
				case opRedAnd:
					x = bit(v[in.a] == in.imm)
				case opRedXor:
					x = uint64(bits.OnesCount64(v[in.a]) & 1)
				case opAdd:
					x = (v[in.a] + v[in.b]) & in.imm
				case opSub:
					x = (v[in.a] - v[in.b]) & in.imm
				case opMul:
					x = v[in.a] * v[in.b] & in.imm
				case opAnd:
					x = v[in.a] & v[in.b]
				case opOr:
					x = v[in.a] | v[in.b]
				case opXor:
					x = v[in.a] ^ v[in.b]
				case opEq:
					x = bit(v[in.a] == v[in.b])
				case opNe:
					x = bit(v[in.a] != v[in.b])
				case opLtU:
					x = bit(v[in.a] < v[in.b])
				case opLeU:
					x = bit(v[in.a] <= v[in.b])
				case opLtS:
					x = bit(int64(v[in.a]<<(in.sh&63)) < int64(v[in.b]<<(in.sh&63)))
				case opShl:
					x = v[in.a] << v[in.b] & in.imm
				case opShrU:
					x = v[in.a] >> v[in.b]
				case opShrS:
					x = uint64(signed(v[in.a], in.sh)>>min(v[in.b], 63)) & in.imm
				case opMux:
					if v[in.a] != 0 {
						x = v[in.b]
					} else {
						x = v[in.c]
					}
				case opSlice:
					x = v[in.a] >> (in.sh & 63) & in.imm
				case opSlice2:
					x = (v[in.a]>>(in.sh&63) | v[in.a+1]<<((64-in.sh)&63)) & in.imm
				case opConcat:
					x = v[in.a]<<(in.sh&63) | v[in.b]
				case opSExt:
					x = uint64(signed(v[in.a], in.sh)) & in.imm
				case opLowest:
					x = v[in.a] & -v[in.a]
				case opPopCount:
					x = uint64(bits.OnesCount64(v[in.a]))
				case opUpdate:
					s.update(in)
					continue
				case opRoute:
					s.route(in)
					continue
				case opWide:
					s.evalWide(in)
					continue
				default:
					x = s.evalListed(in)
				}
				if x != v[in.out] {
					v[in.out] = x
					for _, m := range s.marks[in.fan:in.end] {
						words[m.word] |= m.bits
						top[m.word>>6] |= 1 << (m.word & 63)
					}
				}
			}
			top[t] &^= 1 << (w & 63)
		}
	}
	s.evals += n
}

// signed converts x, of 64-sh bits, to a signed number.
func signed(x uint64, sh uint8) int64 { return int64(x<<(sh&63)) >> (sh & 63) }

// evalListed evaluates the less common instructions with one result.
func (s *Sim) evalListed(in *instr) (x uint64) {
	v := s.vals
	switch in.op {
	case opDivU:
		x = in.imm
		if b := v[in.b]; b != 0 {
			x = v[in.a] / b
		}
	case opModU:
		x = v[in.a]
		if b := v[in.b]; b != 0 {
			x %= b
		}
	case opEncode:
		for a := v[in.a]; a != 0; a &= a - 1 {
			x |= uint64(bits.TrailingZeros64(a))
		}
	case opMemRead:
		if m := &s.mems[in.b]; v[in.a] < uint64(m.depth) {
			x = m.data[v[in.a]]
		}
	case opOrN:
		for _, a := range s.args[in.b:in.c] {
			x |= v[a]
		}
	case opConcatN:
		for l := s.args[in.b:in.c]; len(l) > 1; l = l[2:] {
			x |= v[l[0]] << (l[1] & 63)
		}
	case opElem:
		if l := s.args[in.b:in.c]; v[in.a] < uint64(len(l)) {
			x = v[l[v[in.a]]]
		}
	case opEqLanes:
		for i, a := range s.args[in.b:in.c] {
			x |= bit(v[a] == v[in.a]) << (i & 63)
		}
	case opSelect:
		l := s.args[in.b:in.c]
		for m := v[in.a]; m != 0; m &= m - 1 {
			x |= v[l[bits.TrailingZeros64(m)]]
		}
	}
	return x
}

// result sets slot out and marks f as pending if the value changed.
func (s *Sim) result(out uint32, x uint64, f span) {
	if x != s.vals[out] {
		s.vals[out] = x
		for _, m := range s.marks[f.lo:f.hi] {
			s.pending.add(m)
		}
	}
}

func (s *Sim) update(in *instr) {
	l := s.args[in.b:in.c]
	value, elems := s.vals[l[0]], l[1:]
	index := s.vals[in.a]
	for k, e := range elems {
		x := s.vals[e]
		if uint64(k) == index {
			x = value
		}
		s.result(in.out+uint32(k), x, s.spans[in.fan+uint32(k)])
	}
}

func (s *Sim) route(in *instr) {
	dests := s.args[in.b:in.c]
	t := s.temp[:in.imm]
	clear(t)
	for m := s.vals[in.a]; m != 0; m &= m - 1 {
		i := bits.TrailingZeros64(m)
		if d := s.vals[dests[i]]; d < uint64(len(t)) {
			t[d] |= 1 << i
		}
	}
	for k, x := range t {
		s.result(in.out+uint32(k), x, s.spans[in.fan+uint32(k)])
	}
}
