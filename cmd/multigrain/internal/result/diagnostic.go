package result

// MaxExcerpt is the number of lines of a source that a diagnostic shows.
const MaxExcerpt = 5

// Diagnostic is an error or a warning.
type Diagnostic struct {
	Severity string `json:"severity" enum:"error warning"`
	Code     string `json:"code"`
	Summary  string `json:"summary"`
	Detail   string `json:"detail"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Column   int    `json:"column,omitempty"`
	// EndLine and EndColumn end the range that starts at Line and Column; EndColumn follows
	// its last character.
	EndLine   int `json:"end_line,omitempty"`
	EndColumn int `json:"end_column,omitempty"`
	// In names the block around the range. Excerpt holds the first lines of the range, at
	// most MaxExcerpt, without control characters.
	In      string    `json:"in,omitempty"`
	Excerpt []string  `json:"excerpt,omitempty"`
	Related []Related `json:"related,omitempty"`
}

// Related is another place that a diagnostic concerns.
type Related struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// Explanation says what a diagnostic code means.
type Explanation struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	// Text has the meaning, an example and the remedy, as a terminal shows them; absent in the list
	// of all codes.
	Text string `json:"text,omitempty"`
}
