package data

import (
	"os"
	"strings"
	"testing"
)

func BenchmarkReadCriteo(b *testing.B) {
	text, err := os.ReadFile(fixture)
	if err != nil {
		b.Fatal(err)
	}
	const copies = 1000
	content := strings.Repeat(string(text), copies)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if _, err := ReadCriteo("bench", strings.NewReader(content), 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGenerator(b *testing.B) {
	g, err := NewGenerator(CriteoLike(1))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		g.Next()
	}
}
