package params

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// differs returns an error with the first line in which the texts of basis differ in more than
// sizes.
func differs(basis []Variant, texts []string) error {
	m := basis[0].Module
	var lines [][]string
	for _, s := range texts {
		lines = append(lines, strings.Split(s, "\n"))
	}
	at := func(i int) int { return basis[i].Module.Generic.Value }
	for k, line := range lines[0] {
		for i := 1; i < len(basis); i++ {
			if k < len(lines[1]) && k < len(lines[i]) && follow(line, lines[1][k], lines[i][k], at(0), at(1), at(i)) {
				continue
			}
			other := "nothing more"
			if k < len(lines[i]) {
				other = strconv.Quote(strings.Join(strings.Fields(lines[i][k]), " "))
			}
			return fmt.Errorf("verilog: %s: %s: [parameter] %s decides more than widths: for %d there is %q, for %d %s; without hw:\"parameter\" in its tag each value has a module of its own",
				m.Pos, m.Generic.Name, m.Generic.Param, at(0), strings.Join(strings.Fields(line), " "), at(i), other)
		}
	}
	return fmt.Errorf("verilog: %s: %s: [parameter] %s decides more than widths; without hw:\"parameter\" in its tag each value has a module of its own", m.Pos, m.Generic.Name, m.Generic.Param)
}

var digits = regexp.MustCompile(`\b[0-9]+\b`)

// follow reports whether the lines x, y and z differ only in numbers, and these in proportion
// to a, b and c.
func follow(x, y, z string, a, b, c int) bool {
	blank := func(s string) string {
		return strings.Join(strings.Fields(digits.ReplaceAllString(s, "0")), " ")
	}
	if blank(x) != blank(y) || blank(x) != blank(z) {
		return false
	}
	u, v, w := digits.FindAllString(x, -1), digits.FindAllString(y, -1), digits.FindAllString(z, -1)
	for i := range u {
		p, _ := strconv.Atoi(u[i])
		q, _ := strconv.Atoi(v[i])
		r, _ := strconv.Atoi(w[i])
		if (q-p)*(c-a) != (r-p)*(b-a) || (q-p)%(b-a) != 0 {
			return false
		}
	}
	return true
}
