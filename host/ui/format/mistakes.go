package format

import (
	"errors"
	"fmt"
)

// MostMistakes is the maximum number of mistakes in a message.
const MostMistakes = 10

// Mistakes joins errors, one per line. It keeps the first ten and counts all further errors.
func Mistakes(errs ...error) error {
	var list []error
	more := 0
	for _, err := range errs {
		switch {
		case err == nil:
		case len(list) < MostMistakes:
			list = append(list, err)
		default:
			more++
		}
	}
	if more > 0 {
		list = append(list, fmt.Errorf("and %s more", Thousands(int64(more))))
	}
	return errors.Join(list...)
}
