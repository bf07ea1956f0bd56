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

// Diff is in what two results differ.
type Diff struct {
	A       string     `json:"a"` // paths of the documents
	B       string     `json:"b"`
	Verdict string     `json:"verdict" enum:"same differs"`
	Lines   []DiffLine `json:"lines"`
}

// DiffLine is a value that differs. Values are texts, "" where a side has none. Those of the group
// time never count.
type DiffLine struct {
	Group string `json:"group" enum:"what verdict settings counts coverage messages time"`
	Name  string `json:"name"`
	A     string `json:"a"`
	B     string `json:"b"`
}
