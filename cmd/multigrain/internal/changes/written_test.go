package changes

import "testing"

// TestInComment: a tag of javadoc is no annotation, and an annotation after a comment is one.
func TestInComment(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"     * @return the folder": true, "  // @Test": true, "*": true,
		"  @Managed": false, "  */ @Managed": false, "/* all */ @Managed": false, "int area = width": false, " *@Managed": false,
	} {
		if got := inComment.MatchString(line); got != want {
			t.Errorf("%q: %v, not %v", line, got, want)
		}
	}
}
