package result

// Diagram is a trace as a sequence diagram: servers are lanes, time goes down by a row for each step, and messages are arrows
// from the step that sends them to the one that receives or loses them. It is read off the variables that hold channels: square
// arrays of sequences or collections of records.
type Diagram struct {
	Lanes    int       `json:"lanes"`
	Rows     []Row     `json:"rows"`
	Messages []Message `json:"messages"`
}

// Row is one step.
type Row struct {
	Step   int    `json:"step"`
	Label  string `json:"label"` // action and parameters
	Module string `json:"module"`
	Lane   int    `json:"lane"` // the acting server, -1: none or several
	// Touched are the lanes that a step of the environment is about, by its parameters.
	Touched     []int  `json:"touched,omitempty"`
	Environment bool   `json:"environment,omitempty"`
	Marks       []Mark `json:"marks,omitempty"`
}

// Mark is a crash or a start of a server, or a link between two that is cut or mended.
type Mark struct {
	What string `json:"what"` // cut, mended
	A    int    `json:"a"`
	B    int    `json:"b"`
}

// Message is one message's way. Row numbers are those of rows; Sent is -1 for what the initial state holds.
type Message struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"` // its kind
	Full string `json:"full"` // all of it
	Sent int    `json:"sent"` // row
	End  int    `json:"end"`  // row; -1: still in flight
	Lost bool   `json:"lost"` // a step of the environment took it out
	Net  string // which variable
}

// LanesOf are the lanes of a row: the acting server's, or those it is about.
func (r *Row) LanesOf() []int {
	if r.Lane >= 0 {
		return []int{r.Lane}
	}
	return r.Touched
}
