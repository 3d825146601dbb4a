package regmap

// File does in plain Go what hardware with the registers of a Map does, an access at a
// time.
type File struct {
	m      *Map
	values map[string]uint64 // by the names of Places
	held   map[string]uint32 // high words, by those of registers and elements
}

// NewFile is the registers of m after a reset. What is not stored is 0.
func (m *Map) NewFile() *File {
	f := &File{m: m, values: map[string]uint64{}, held: map[string]uint32{}}
	for _, p := range m.Places() {
		f.values[p.Name()] = p.Field.Reset
	}
	return f
}

// Get is the value of a field, named as Place.Name names it.
func (f *File) Get(name string) uint64 { return f.values[name] }

// Set is what hardware does: it gives a field a value.
func (f *File) Set(name string, v uint64) { f.values[name] = v }

// Read is what a read of the word at a byte offset gives, if there is one that can be
// read.
func (f *File) Read(offset uint64) (data uint32, ok bool) {
	r, element, word, ok := f.m.find(offset)
	if !ok || !r.Reads(word) {
		return 0, false
	}
	key := r.WordName(element, 1)
	if r.Held() && word == 1 {
		return f.held[key], true
	}
	data = f.word(r, element, word)
	if r.Held() {
		f.held[key] = f.word(r, element, 1)
	}
	for _, d := range r.Fields {
		if d.Access == ReadClear {
			f.values[signal(r, d, element)] = 0
		}
	}
	return data, true
}

// word is what a word reads as.
func (f *File) word(r Register, element, word int) (data uint32) {
	for _, d := range r.Fields {
		if d.Access.Reads() {
			data |= uint32(f.values[signal(r, d, element)] << d.Low >> (WordBits * word))
		}
	}
	return data
}

// Write writes the bytes that have a strobe of the word at a byte offset, if there is
// one that can be written. A Pulse keeps what is written until Set takes it back.
func (f *File) Write(offset uint64, data uint32, strobes uint8) (ok bool) {
	r, element, word, ok := f.m.find(offset)
	if !ok || !r.Writes(word) || f.m.WholeWords && strobes != 0xf {
		return false
	}
	mask := uint64(0)
	for i := range WordBytes {
		if strobes>>i&1 != 0 {
			mask |= 0xff << (8 * i)
		}
	}
	for _, d := range r.Fields {
		name, shift := signal(r, d, element), WordBits*word
		bits := mask << shift & d.mask() >> d.Low
		v := uint64(data) << shift & d.mask() >> d.Low & bits
		f.values[name] = d.Access.written(f.values[name], v, bits)
	}
	return true
}

// written is what becomes of a value when v is written to some of its bits.
func (a Access) written(old, v, bits uint64) uint64 {
	switch a {
	case ReadWrite, WriteOnly:
		return old&^bits | v
	case OneClears:
		return old &^ v
	case OneSets, Pulse:
		return old | v
	}
	return old
}
