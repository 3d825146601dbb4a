package capture

import (
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// LinkType is USER0, because no link type number is assigned to PCI Express.
const LinkType layers.LinkType = 147

// The layers of a packet: a header, followed by one of the other layers.
var (
	LayerTypeHeader   = gopacket.RegisterLayerType(1900, gopacket.LayerTypeMetadata{Name: "CaptureHeader", Decoder: decoder(func() decodingLayer { return &headerLayer{} })})
	LayerTypeTLP      = gopacket.RegisterLayerType(1901, gopacket.LayerTypeMetadata{Name: "TLP", Decoder: decoder(func() decodingLayer { return &TLPLayer{} })})
	LayerTypeComment  = gopacket.RegisterLayerType(1902, gopacket.LayerTypeMetadata{Name: "Comment", Decoder: decoder(func() decodingLayer { return &commentLayer{} })})
	LayerTypeDelay    = gopacket.RegisterLayerType(1904, gopacket.LayerTypeMetadata{Name: "Delay", Decoder: decoder(func() decodingLayer { return &delayLayer{} })})
	LayerTypeGap      = gopacket.RegisterLayerType(1905, gopacket.LayerTypeMetadata{Name: "Gap", Decoder: decoder(func() decodingLayer { return &gapLayer{} })})
	LayerTypeFunction = gopacket.RegisterLayerType(1903, gopacket.LayerTypeMetadata{Name: "Function", Decoder: decoder(func() decodingLayer { return &functionLayer{} })})
)

func init() {
	layers.LinkTypeMetadata[LinkType] = layers.EnumMetadata{Name: "PCIe TLP", LayerType: LayerTypeHeader, DecodeWith: LayerTypeHeader}
}

// decodingLayer is a packet layer that decodes itself.
type decodingLayer interface {
	gopacket.Layer
	gopacket.DecodingLayer
}

// decoder returns the decoder of a layer for gopacket.NewPacket.
func decoder(layer func() decodingLayer) gopacket.Decoder {
	return gopacket.DecodeFunc(func(b []byte, p gopacket.PacketBuilder) error {
		l := layer()
		if err := l.DecodeFromBytes(b, p); err != nil {
			return err
		}
		p.AddLayer(l)
		if next := l.NextLayerType(); next != gopacket.LayerTypeZero {
			return p.NextDecoder(next)
		}
		return nil
	})
}

// headerLayer is the [Header] of a packet.
type headerLayer struct {
	layers.BaseLayer
	Header Header
}

func (*headerLayer) LayerType() gopacket.LayerType  { return LayerTypeHeader }
func (*headerLayer) CanDecode() gopacket.LayerClass { return LayerTypeHeader }
func (l *headerLayer) NextLayerType() gopacket.LayerType {
	return map[Kind]gopacket.LayerType{KindTLP: LayerTypeTLP, KindComment: LayerTypeComment, KindFunction: LayerTypeFunction, KindDelay: LayerTypeDelay, KindGap: LayerTypeGap}[l.Header.Kind]
}

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *headerLayer) DecodeFromBytes(b []byte, _ gopacket.DecodeFeedback) error {
	if err := l.Header.decode(b); err != nil {
		return err
	}
	if len(b) == headerBytes { // gopacket would accept it as a packet without a second layer
		return fmt.Errorf("packet of a header only")
	}
	l.BaseLayer = layers.BaseLayer{Contents: b[:headerBytes], Payload: b[headerBytes:]}
	return nil
}

// SerializeTo implements gopacket.SerializableLayer.
func (l *headerLayer) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	return prepend(b, func(to []byte) ([]byte, error) { return l.Header.append(to), nil })
}

// TLPLayer is a TLP as a layer of gopacket.
type TLPLayer struct {
	layers.BaseLayer
	TLP pcie.TLP
}

func (*TLPLayer) LayerType() gopacket.LayerType     { return LayerTypeTLP }
func (*TLPLayer) CanDecode() gopacket.LayerClass    { return LayerTypeTLP }
func (*TLPLayer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes implements gopacket.DecodingLayer. It returns the errors of pcie.Decode.
func (l *TLPLayer) DecodeFromBytes(b []byte, _ gopacket.DecodeFeedback) (err error) {
	l.TLP, err = pcie.Decode(b)
	l.BaseLayer = layers.BaseLayer{Contents: b}
	return err
}

// SerializeTo implements gopacket.SerializableLayer. It returns the errors of pcie.TLP.AppendTo.
func (l *TLPLayer) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	return prepend(b, l.TLP.AppendTo)
}

// commentLayer is a comment.
type commentLayer struct {
	layers.BaseLayer
	Text string
}

func (*commentLayer) LayerType() gopacket.LayerType     { return LayerTypeComment }
func (*commentLayer) CanDecode() gopacket.LayerClass    { return LayerTypeComment }
func (*commentLayer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *commentLayer) DecodeFromBytes(b []byte, _ gopacket.DecodeFeedback) error {
	l.BaseLayer, l.Text = layers.BaseLayer{Contents: b}, string(b)
	if !utf8.Valid(b) {
		return fmt.Errorf("comment % x, expected UTF-8", b[:min(len(b), 16)])
	}
	return nil
}

// SerializeTo implements gopacket.SerializableLayer.
func (l *commentLayer) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	return prepend(b, func(to []byte) ([]byte, error) { return append(to, l.Text...), nil })
}

// functionLayer is a [Function].
type functionLayer struct {
	layers.BaseLayer
	Function Function
}

func (*functionLayer) LayerType() gopacket.LayerType     { return LayerTypeFunction }
func (*functionLayer) CanDecode() gopacket.LayerClass    { return LayerTypeFunction }
func (*functionLayer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *functionLayer) DecodeFromBytes(b []byte, _ gopacket.DecodeFeedback) error {
	l.BaseLayer = layers.BaseLayer{Contents: b}
	return l.Function.decode(b)
}

// SerializeTo implements gopacket.SerializableLayer.
func (l *functionLayer) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	return prepend(b, func(to []byte) ([]byte, error) { return l.Function.append(to), nil })
}

// delayLayer is the injected delay of a TLP.
type delayLayer struct {
	layers.BaseLayer
	Delay des.Time
}

func (*delayLayer) LayerType() gopacket.LayerType     { return LayerTypeDelay }
func (*delayLayer) CanDecode() gopacket.LayerClass    { return LayerTypeDelay }
func (*delayLayer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *delayLayer) DecodeFromBytes(b []byte, _ gopacket.DecodeFeedback) error {
	l.BaseLayer = layers.BaseLayer{Contents: b}
	if len(b) != 8 {
		return fmt.Errorf("delay of %d bytes, expected 8", len(b))
	}
	ps := binary.BigEndian.Uint64(b)
	if ps == 0 || ps > mostDelay {
		return fmt.Errorf("delay of %d ps, expected 1 to %d", ps, uint64(mostDelay))
	}
	l.Delay = des.Time(ps)
	return nil
}

// mostDelay is longer than any run, and small enough that the sum of times does not overflow.
const mostDelay = 1 << 60

// SerializeTo implements gopacket.SerializableLayer.
func (l *delayLayer) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	return prepend(b, func(to []byte) ([]byte, error) { return binary.BigEndian.AppendUint64(to, uint64(l.Delay)), nil })
}

// gapLayer is the number of packets that were not kept.
type gapLayer struct {
	layers.BaseLayer
	Packets uint64
}

func (*gapLayer) LayerType() gopacket.LayerType     { return LayerTypeGap }
func (*gapLayer) CanDecode() gopacket.LayerClass    { return LayerTypeGap }
func (*gapLayer) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes implements gopacket.DecodingLayer.
func (l *gapLayer) DecodeFromBytes(b []byte, _ gopacket.DecodeFeedback) error {
	l.BaseLayer = layers.BaseLayer{Contents: b}
	if len(b) != 8 {
		return fmt.Errorf("gap of %d bytes, expected 8", len(b))
	}
	if l.Packets = binary.BigEndian.Uint64(b); l.Packets == 0 || l.Packets > math.MaxInt64 {
		return fmt.Errorf("gap of %d packets, expected 1 to %d", l.Packets, uint64(math.MaxInt64))
	}
	return nil
}

// SerializeTo implements gopacket.SerializableLayer.
func (l *gapLayer) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	return prepend(b, func(to []byte) ([]byte, error) { return binary.BigEndian.AppendUint64(to, l.Packets), nil })
}

// prepend prepends the result of encode to a buffer.
func prepend(b gopacket.SerializeBuffer, encode func([]byte) ([]byte, error)) error {
	data, err := encode(nil)
	if err != nil {
		return err
	}
	to, err := b.PrependBytes(len(data))
	copy(to, data)
	return err
}
