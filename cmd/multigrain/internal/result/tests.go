package result

// Compared is one of the compositions that the verb compare compares.
type Compared struct {
	Manifest string    `json:"manifest"`
	Result   *Document `json:"result"`
}

// File is the result of fmt for a file.
type File struct {
	Path      string `json:"path"`
	Changed   bool   `json:"changed"`
	Diff      string `json:"diff,omitempty"`      // with -diff
	Formatted string `json:"formatted,omitempty"` // text, where it is printed
}

// Test is the result of the verb test for one manifest.
type Test struct {
	Manifest    string    `json:"manifest"`
	OK          bool      `json:"ok"`
	Expected    string    `json:"expected"`
	Found       string    `json:"found"`
	Seconds     float64   `json:"seconds"` // with loading and building
	Differences []string  `json:"differences"`
	Result      *Document `json:"result"`
}
