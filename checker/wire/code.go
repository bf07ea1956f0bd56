package wire

// Code is conform.Code: compiled code that takes the place of a part of the implementation's own.
type Code struct {
	Path  string     `json:"path,omitempty"`
	Lines []CodeLine `json:"lines,omitempty"`
}

// CodeLine is conform.CodeLine.
type CodeLine struct {
	File    string `json:"file"`
	Number  int    `json:"number"`
	Removed bool   `json:"removed,omitempty"`
	Text    string `json:"text,omitempty"`
}

// Build asks for code that is made of sources, and for no walks. Fields are those of
// conform.Sources.
type Build struct {
	Dir      string   `json:"dir,omitempty"`
	Files    []string `json:"files"`
	To       string   `json:"to"`
	Original bool     `json:"original,omitempty"`
}

// Built is the answer to a Build: where the code is, the errors of the compiler, or what is missing
// for it.
type Built struct {
	Path   string         `json:"path,omitempty"`
	Errors []BuildMessage `json:"errors,omitempty"`
	Lacks  string         `json:"lacks,omitempty"`
}

// BuildMessage is conform.BuildMessage.
type BuildMessage struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

// NotedPlace is a place of the changed code, as an adapter that runs Code notes it: a line, or a
// condition on it. Fields are those of checker.Point.
type NotedPlace struct {
	Func   string `json:"func,omitempty"`
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
	Text   string `json:"text,omitempty"`
	Kind   string `json:"kind"`
}
