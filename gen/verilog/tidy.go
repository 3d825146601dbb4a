package verilog

// tidy declares wires where they are assigned, or before the instance that drives them,
// unless something before that reads them.
func tidy(m *module) { m.items = tidyItems(m.items) }

func tidyItems(list []item) []item {
	mentioned := map[*object]bool{}
	inPlace := map[*object]bool{}
	declared := map[*object]*declItem{}
	movable := func(x expr) *declItem {
		if id, ok := x.(*ident); ok && id.obj.kind == wireObject && !mentioned[id.obj] {
			return declared[id.obj]
		}
		return nil
	}
	var placed []item
	for _, it := range list {
		switch it := it.(type) {
		case *declItem:
			if it.init == nil {
				declared[it.obj] = it
			}
		case *generateItem:
			it.body = tidyItems(it.body)
		case *assignItem:
			if d := movable(it.lhs); d != nil {
				inPlace[d.obj] = true
				placed = append(placed, &declItem{obj: d.obj, init: it.rhs, src: it.src})
				walkItem(it, func(x expr, _ bool) { mention(x, mentioned) })
				continue
			}
		case *instanceItem:
			for _, c := range it.conns {
				if d := movable(c.value); d != nil && c.output {
					inPlace[d.obj] = true
					d.obj.group = "" // the instance below says it
					placed = append(placed, &declItem{obj: d.obj, src: d.src, local: true})
				}
			}
		}
		walkItem(it, func(x expr, _ bool) { mention(x, mentioned) })
		placed = append(placed, it)
	}
	var out []item
	for _, it := range placed {
		if d, ok := it.(*declItem); ok && declared[d.obj] == d && inPlace[d.obj] {
			continue
		}
		out = append(out, it)
	}
	return out
}
