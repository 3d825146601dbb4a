package regmap

// File is a model in plain Go of hardware with the registers of a Map. It processes one access at
// a time.
type File struct {
	m      *Map
	values map[string]uint64 // by Place.Name
	held   map[string]uint32 // high words, by register and element
}

// NewFile returns the registers of m after a reset. Values that are not stored are 0.
func (m *Map) NewFile() *File {
	f := &File{m: m, values: map[string]uint64{}, held: map[string]uint32{}}
	for _, p := range m.Places() {
		f.values[p.Name()] = p.Field.Reset
	}
	return f
}

// Get returns the value of the field with the given Place.Name.
func (f *File) Get(name string) uint64 { return f.values[name] }

// Set assigns a field on behalf of the hardware.
func (f *File) Set(name string, v uint64) { f.values[name] = v }

// Read reads the word at a byte offset. ok reports whether a readable word exists there.
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

// word returns the read value of a word.
func (f *File) word(r Register, element, word int) (data uint32) {
	for _, d := range r.Fields {
		if d.Access.Reads() {
			data |= uint32(f.values[signal(r, d, element)] << d.Low >> (WordBits * word))
		}
	}
	return data
}

// Write writes the bytes with a strobe to the word at a byte offset. ok reports whether a writable
// word exists there. The value of a Pulse remains until Set clears it.
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

// written returns the new value of old after a write of v to some of its bits.
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
