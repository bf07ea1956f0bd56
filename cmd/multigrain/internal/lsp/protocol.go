package lsp

// Types of the Language Server Protocol, version 3.17, as far as this server uses them.

type position struct {
	Line      int `json:"line"`      // from 0
	Character int `json:"character"` // UTF-16 code units, from 0
}

type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

type document struct {
	URI     string `json:"uri"`
	Text    string `json:"text,omitempty"`
	Version int    `json:"version,omitempty"`
}

type opening struct {
	TextDocument document `json:"textDocument"`
}

type changing struct {
	TextDocument   document `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type positioned struct {
	TextDocument document `json:"textDocument"`
	Position     position `json:"position"`
}

type problem struct {
	Range    textRange `json:"range"`
	Severity int       `json:"severity"` // 1: error, 2: warning
	Code     string    `json:"code,omitempty"`
	Source   string    `json:"source"`
	Message  string    `json:"message"`
	Related  []related `json:"relatedInformation,omitempty"`
}

type related struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type published struct {
	URI         string    `json:"uri"`
	Diagnostics []problem `json:"diagnostics"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type item struct {
	Label         string    `json:"label"`
	Kind          int       `json:"kind,omitempty"`
	Detail        string    `json:"detail,omitempty"`
	Documentation *markup   `json:"documentation,omitempty"`
	TextEdit      *textEdit `json:"textEdit,omitempty"`
}

type hovered struct {
	Contents markup    `json:"contents"`
	Range    textRange `json:"range"`
}

type asked struct {
	TextDocument document  `json:"textDocument"`
	Range        textRange `json:"range"`
	Context      struct {
		Diagnostics []problem `json:"diagnostics"`
	} `json:"context"`
}

type action struct {
	Title       string    `json:"title"`
	Kind        string    `json:"kind"`
	Diagnostics []problem `json:"diagnostics"`
	IsPreferred bool      `json:"isPreferred"`
	Edit        struct {
		Changes map[string][]textEdit `json:"changes"`
	} `json:"edit"`
}

type lens struct {
	Range   textRange `json:"range"`
	Command ran       `json:"command"`
}

// ran is a command that the server executes.
type ran struct {
	Title     string   `json:"title,omitempty"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
}

type message struct {
	Type    int    `json:"type"` // 1: error, 2: warning, 3: information
	Message string `json:"message"`
}
