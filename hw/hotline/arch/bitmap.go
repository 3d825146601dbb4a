package arch

// Bitmap records which inputs of a mini-batch are popular. Bit i%8 of byte i/8 belongs to input i.
type Bitmap []byte

// NewBitmap returns a bitmap without popular inputs. Its length is a whole number of beats.
func (g Geometry) NewBitmap(inputs int) Bitmap { return make(Bitmap, g.BitmapBytes(inputs)) }

// Has reports whether an input is popular.
func (b Bitmap) Has(input int) bool { return b[input/8]>>(input%8)&1 != 0 }

// Add marks an input as popular.
func (b Bitmap) Add(input int) { b[input/8] |= 1 << (input % 8) }
