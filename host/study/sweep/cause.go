package sweep

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// cause returns the position of a mistake of point n: the value of an axis if only this value
// causes the mistake, otherwise the block run.
func (p *Plan) cause(ctx context.Context, dir, text string, n int) (hcl.Range, error) {
	place, causes := p.at, 0
	for axis, a := range p.f.Axes {
		necessary, err := p.necessary(ctx, dir, text, n, axis)
		if err != nil {
			return p.at, err
		}
		if necessary {
			place, causes = a.places[p.drawn[n][axis]], causes+1
		}
	}
	if causes != 1 {
		return p.at, nil
	}
	return place, nil
}

// mostOthers limits the number of other values of an axis that are tried.
const mostOthers = 8

// necessary reports whether an axis causes a mistake of point n: the mistake disappears without the
// attribute of the axis or, if the axis has no attribute, with all its other values.
func (p *Plan) necessary(ctx context.Context, dir, text string, n, axis int) (bool, error) {
	a, numbers := p.f.Axes[axis], p.drawn[n]
	if a.Attribute != "" {
		has, err := p.has(ctx, dir, text, numbers, axis)
		return !has, err
	}
	others := 0
	for i := range a.Values {
		if i == numbers[axis] {
			continue
		}
		if others++; others > mostOthers {
			break
		}
		other := slices.Clone(numbers)
		other[axis] = i
		if has, err := p.has(ctx, dir, text, other, none); has || err != nil {
			return false, err
		}
	}
	return others > 0, nil
}

// has reports whether a point has a mistake. The attribute of the axis without is not set.
func (p *Plan) has(ctx context.Context, dir, text string, numbers []int, without int) (bool, error) {
	point, err := p.f.point(p.base, numbers, without)
	if err != nil {
		return false, nil // there is no such point
	}
	found, err := p.mistakes(ctx, dir, point)
	return slices.Contains(found, text), err
}
