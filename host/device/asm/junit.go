package asm

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/hotline-rtl/hotline/host/des"
)

// junit is a test report in JUnit XML for CI systems. It uses only the attributes of Jenkins'
// schema, because some readers reject others.
type junit struct {
	XMLName xml.Name   `xml:"testsuites"`
	Suite   junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     string      `xml:"time,attr"`
	File     string      `xml:"file,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
	Error   *junitFailure `xml:"error"`
}

type junitFailure struct {
	Type    string `xml:"type,attr"`
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the expectations of a program as JUnit XML, with one test per .expect. Times
// are in simulated seconds, for the whole run.
func (r *Result) WriteJUnit(w io.Writer, file string) error {
	s := junitSuite{Name: file, File: file, Tests: len(r.Expectations), Failures: len(r.unmet()), Time: "0"}
	if n := len(r.Commands); n > 0 {
		s.Time = seconds(r.Commands[n-1].End - r.Commands[0].Start)
	}
	for _, o := range r.Expectations {
		c := testcase(file, o.Line, o.short())
		if !o.Met {
			c.Failure = &junitFailure{"expect", fmt.Sprintf("found %s, expected %s", o.Found, o.Expected), o.message(file)}
		}
		s.Cases = append(s.Cases, c)
	}
	return s.write(w)
}

// WriteJUnitError writes a report for a program that did not run to its end.
func WriteJUnitError(w io.Writer, file string, err error) error {
	c := testcase(file, 1, "run")
	c.Error = &junitFailure{"run", err.Error(), err.Error()}
	return junitSuite{Name: file, File: file, Tests: 1, Errors: 1, Time: "0", Cases: []junitCase{c}}.write(w)
}

func testcase(file string, line int, text string) junitCase {
	return junitCase{Name: fmt.Sprintf("line %d: %s", line, text), Class: file, Time: "0"}
}

func seconds(t des.Time) string { return fmt.Sprintf("%.12f", t.Seconds()) }

func (s junitSuite) write(w io.Writer) error {
	text, err := xml.MarshalIndent(junit{Suite: s}, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	return err
}
