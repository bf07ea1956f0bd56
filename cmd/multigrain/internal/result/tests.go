package result

// comparedDoc is one of the compositions that are compared.
type Compared struct {
	Manifest string    `json:"manifest"`
	Result   *Document `json:"result"`
}

// File is what fmt has to say about a file.
type File struct {
	Path      string `json:"path"`
	Changed   bool   `json:"changed"`
	Diff      string `json:"diff,omitempty"`      // with -diff
	Formatted string `json:"formatted,omitempty"` // of the standard input
}

// Test is the result of one manifest.
type Test struct {
	Manifest    string    `json:"manifest"`
	OK          bool      `json:"ok"`
	Expected    string    `json:"expected"`
	Found       string    `json:"found"`
	Seconds     float64   `json:"seconds"` // with loading and building
	Differences []string  `json:"differences"`
	Result      *Document `json:"result"`
}
