package passes

import "github.com/hotline-rtl/hotline/gen/verilog/syntax"

// declare declares wires where they are assigned, or before the instance that drives them,
// unless something earlier reads them.
func declare(m *syntax.Module) { m.Items = declareItems(m.Items) }

func declareItems(list []syntax.Item) []syntax.Item {
	mentioned := map[*syntax.Object]bool{}
	inPlace := map[*syntax.Object]bool{}
	declared := map[*syntax.Object]*syntax.DeclItem{}
	movable := func(x syntax.Expr) *syntax.DeclItem {
		if id, ok := x.(*syntax.Ident); ok && id.Obj.Kind == syntax.Wire && !mentioned[id.Obj] {
			return declared[id.Obj]
		}
		return nil
	}
	var placed []syntax.Item
	for _, it := range list {
		switch it := it.(type) {
		case *syntax.DeclItem:
			if it.Init == nil {
				declared[it.Obj] = it
			}
		case *syntax.GenerateItem:
			it.Body = declareItems(it.Body)
		case *syntax.AssignItem:
			if d := movable(it.Lhs); d != nil {
				inPlace[d.Obj] = true
				placed = append(placed, &syntax.DeclItem{Obj: d.Obj, Init: it.Rhs, Src: it.Src})
				syntax.WalkItem(it, func(x syntax.Expr, _ bool) { syntax.Mention(x, mentioned) })
				continue
			}
		case *syntax.InstanceItem:
			for _, c := range it.Conns {
				if d := movable(c.Value); d != nil && c.Output {
					inPlace[d.Obj] = true
					d.Obj.Group = "" // the instance below says it
					placed = append(placed, &syntax.DeclItem{Obj: d.Obj, Src: d.Src, Local: true})
				}
			}
		}
		syntax.WalkItem(it, func(x syntax.Expr, _ bool) { syntax.Mention(x, mentioned) })
		placed = append(placed, it)
	}
	var out []syntax.Item
	for _, it := range placed {
		if d, ok := it.(*syntax.DeclItem); ok && declared[d.Obj] == d && inPlace[d.Obj] {
			continue
		}
		out = append(out, it)
	}
	return out
}
