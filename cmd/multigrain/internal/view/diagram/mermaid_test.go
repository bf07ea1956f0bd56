package diagram

import "testing"

// TestMermaidText: what Mermaid, Markdown or HTML reads as syntax becomes codes of characters.
// Plain names and values stay as they are.
func TestMermaidText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"FollowerProcessNEWLEADER(I: 1, J: 0)": "FollowerProcessNEWLEADER(I: 1, J: 0)",
		"backend sends [a, b] = -1":            "backend sends [a, b] = -1",
		"<script>":                             "#60;script#62;",
		"a;b#c\nd":                             "a#59;b#35;c d",
		"%%{init: {}}%%":                       "#37;#37;#123;init: #123;#125;#125;#37;#37;",
		"end":                                  "#101;nd",
		"The End.":                             "The #69;nd.",
		"$$x$$ `y` \"z\" & '":                  "#36;#36;x#36;#36; #96;y#96; #34;z#34; #38; #39;",
	} {
		if have := mermaidText(text); have != want {
			t.Errorf("%q becomes %q, want %q", text, have, want)
		}
	}
}
