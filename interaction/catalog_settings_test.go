package interaction

import (
	"strings"
	"testing"
)

// TestUnlike expects a finding where the constants of a manifest make another catalog, and none
// where they change texts or steps alone. Eager is such a constant.
func TestUnlike(t *testing.T) {
	t.Parallel()
	const actions = "catalog.go: Actions: actions{&Finish}} => Actions: "
	for _, c := range []struct{ name, edit, want string }{
		{"the toy itself", "catalog.go: package toy => package toy", ""},
		{"a text", "catalog.go: Doc:  \"A chief, its crew and their jobs.\" => Doc: eager()", ""},
		{"actions of a grain", actions + "some()}", `grain "instant" of module "work" differs with the bounds and options of the manifest`},
		{"a rule in a step", actions + "actions{&Finish}, Rules: rules{modules.WhenAny(func(s *State) bool { return Eager })}}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			more := "work.go: // SendJOB gives => func some() actions {¶\tif Eager {¶\t\treturn actions{&Finish}¶\t}¶\treturn actions{&Finish, &Nosy}¶}¶¶" +
				"func eager() string {¶\tif Eager {¶\t\treturn \"a\"¶\t}¶\treturn \"b\"¶}¶¶// SendJOB gives"
			p, findings := loadToy(t, c.edit, more)
			if HasErrors(findings) {
				t.Fatal(findings)
			}
			cat, _ := p.Catalog()
			other, findings := loadToy(t, c.edit, more, "state.go: const Eager = false => const Eager = true")
			if HasErrors(findings) {
				t.Fatal(findings)
			}
			var text strings.Builder
			for _, f := range other.Unlike(cat) {
				text.WriteString(f.Error() + "\n")
				if f.Code != "MG204" || f.File == "" || f.Remedy == "" {
					t.Errorf("%+v", f)
				}
			}
			if got := text.String(); c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
