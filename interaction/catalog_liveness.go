package interaction

import "github.com/multigrain/multigrain/grains"

// readLiveness reads the liveness properties of the System.
func (r *reader) readLiveness(o object) (ds []grains.LivenessDecl) {
	for _, x := range o.objects("Liveness", "ID", "liveness property") {
		d := grains.LivenessDecl{ID: x.text("ID"), Doc: x.text("Doc"), Place: r.literal(x.at)}
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
			case way == "To":
				r.report(finding(BadCatalog, d.Place, "%s does not set To", x.what).remedy("say what has to follow"))
			}
		}
		for _, c := range x.list("Unfair") {
			if a := r.actionOf(c.Value, x.what, x.at); a != nil {
				d.Unfair = append(d.Unfair, a.decl.Name)
			}
		}
		ds = append(ds, d)
	}
	return ds
}
