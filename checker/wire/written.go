package wire

// Sides is conform.Sides: it asks what changed lines write, and for no walks.
type Sides struct {
	Before   string     `json:"before,omitempty"`
	After    string     `json:"after,omitempty"`
	Lines    []SideLine `json:"lines"`
	Compared []string   `json:"compared"`
	Inert    bool       `json:"inert,omitempty"`
}

// SideLine is conform.SideLine.
type SideLine struct {
	File   string `json:"file"`
	Number int    `json:"number"`
	Before bool   `json:"before,omitempty"`
	Gap    bool   `json:"gap,omitempty"`
}

// Written is the answer to Sides: conform.Written, or why it is not known.
type Written struct {
	Writes []LineWrite `json:"writes"`
	Same   []SideLine  `json:"same"`
	Inert  []string    `json:"inert,omitempty"`
	Rests  []string    `json:"rests,omitempty"`
	Lacks  string      `json:"lacks,omitempty"`
}

// LineWrite is conform.LineWrite.
type LineWrite struct {
	SideLine
	Function string `json:"function"`
	Place    string `json:"place"`
	Changes  bool   `json:"changes,omitempty"`
	Observed bool   `json:"observed"`
}
