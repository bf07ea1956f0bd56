package interaction

import (
	"github.com/multigrain/multigrain/grains"
	"github.com/multigrain/multigrain/interaction/internal/initial"
)

// livenessValues is a liveness property with the values of From, To and Each.
type livenessValues struct {
	decl   grains.LivenessDecl
	values []initial.Value
}

// readLiveness reads the liveness properties of the System.
func (r *reader) readLiveness(o object) (vs []*livenessValues, ds []grains.LivenessDecl) {
	for _, x := range o.objects("Liveness", "ID", "liveness property") {
		d := grains.LivenessDecl{ID: x.text("ID"), Doc: x.text("Doc"), Place: r.literal(x.at)}
		each := r.readEach(&d, x)
		for _, way := range []string{"From", "To"} {
			c, at := x.cell(way)
			fn, ok := r.function(c)
			switch {
			case !ok:
				r.unread(c.Value, way+" of "+x.what, at)
			case fn != nil && way == "From":
				decl := r.functionDecl(fn)
				d.From = &decl
			case fn != nil:
				d.To = r.functionDecl(fn)
			case way == "To" && !each:
				r.report(finding(BadCatalog, d.Place, "%s does not set To", x.what).remedy("say what has to follow"))
			}
		}
		for _, c := range x.list("Unfair") {
			if a := r.actionOf(c.Value, x.what, x.at); a != nil {
				d.Unfair = append(d.Unfair, a.decl.Name)
			}
		}
		v := &livenessValues{decl: d}
		for _, field := range []string{"From", "To", "Each"} {
			c, _ := x.cell(field)
			v.values = append(v.values, c.Value)
		}
		vs, ds = append(vs, v), append(ds, d)
	}
	return vs, ds
}

// readEach reads a liveness property with a parameter, and reports whether there is one.
func (r *reader) readEach(d *grains.LivenessDecl, x object) bool {
	c, at := x.cell("Each")
	v := c.Value
	if isNil(v) {
		return false
	}
	if i, ok := v.(initial.Interface); ok {
		v = i.Value
	}
	made, ok := v.(initial.Made)
	if !ok || originName(made) != "LeadsTo" {
		r.unread(v, "Each of "+x.what, at)
		return true
	}
	d.Parametric = true
	for k, way := range []string{"from", "to"} {
		fn, ok := r.function(&initial.Cell{Value: made.Args[k+1]})
		switch {
		case !ok:
			r.unread(made.Args[k+1], way+" of "+x.what, made.Pos)
		case fn != nil && way == "from":
			decl := r.functionDecl(fn)
			d.From = &decl
		case fn != nil:
			d.To = r.functionDecl(fn)
		}
	}
	if from, _ := x.cell("From"); !isNil(from.Value) {
		r.report(finding(BadCatalog, d.Place, "%s sets From as well as Each", x.what).remedy("keep one of the two"))
	}
	if to, _ := x.cell("To"); !isNil(to.Value) {
		r.report(finding(BadCatalog, d.Place, "%s sets To as well as Each", x.what).remedy("keep one of the two"))
	}
	return true
}
