package arch

// Bitmap tells which inputs of a mini-batch are popular: bit i mod 8 of byte i/8 is
// that of input i.
type Bitmap []byte

// NewBitmap is one of no popular inputs, as long as the beats that carry it.
func (g Geometry) NewBitmap(inputs int) Bitmap { return make(Bitmap, g.BitmapBytes(inputs)) }

// Has tells whether an input is popular.
func (b Bitmap) Has(input int) bool { return b[input/8]>>(input%8)&1 != 0 }

// Add makes an input popular.
func (b Bitmap) Add(input int) { b[input/8] |= 1 << (input % 8) }
