package compose

import "text/template"

// enabledTemplate is what a composition's guards allow, one action at a time, for those who draw steps and do not take them all. It
// stands behind the text of nextTemplate, whose declarations it uses.
var enabledTemplate = template.Must(template.New("enabled").Parse(`
// MultigrainEnabled is checker.Spec.EnabledOf of the composition. It is nil where MultigrainNext's result is.
func MultigrainEnabled(spec *modules.Spec[{{.State}}]) func(s *multigrainNode, action int, out []int32) []int32 {
	if MultigrainNext(spec) == nil {
		return nil
	}
	limit := multigrainLimits{}
	for k, b := range spec.Budgets {
		limit[k] = b.Max
		if b.Max < 0 {
			limit[k] = math.MaxInt
		}
	}
	var base [{{len .Actions}}]int
	next := 0
	{{range $x, $a := .Actions}}base[{{$x}}] = next
	next += len(multigrainParams{{$x}})
	{{end}}return func(s *multigrainNode, action int, out []int32) []int32 {
		switch action { {{range $x, $a := .Actions}}
		case {{$x}}:
			return multigrainAsk{{$x}}(s, base[{{$x}}], &limit, out){{end}}
		}
		panic("no such action")
	}
}
{{range $x, $a := .Actions}}
// {{$a.Name}}
func multigrainAsk{{$x}}(s *multigrainNode, base int, limit *multigrainLimits, out []int32) []int32 {
	{{if $a.Budgets}}if {{range $k, $b := $a.Budgets}}{{if $k}} || {{end}}int(s.Spent[{{$b}}]) >= limit[{{$b}}]{{end}} {
		return out
	}
	{{end}}{{if $a.Masks}}for c, m := range [...]uint64{ {{range $a.Masks}}{{.}}(&s.State), {{end}} } {
	for ; m != 0; m &= m - 1 {
		k := c*64 + bits.TrailingZeros64(m)
		p := multigrainParams{{$x}}[k]
		_ = p
	{{else}}{
	for k, p := range multigrainParams{{$x}} {
		{{if $a.Guard}}if !({{$a.Guard}})(&s.State, p) {
			continue
		}
		{{else}}_ = p
		{{end}}
	{{end}}{{range $a.When}}if !({{.Func}})(&s.State{{if not .Plain}}, p{{end}}) {
			continue
		}
		{{end}}out = append(out, int32(base+k))
	}
	}
	return out
}
{{end}}`))
