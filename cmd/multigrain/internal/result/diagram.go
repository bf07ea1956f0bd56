package result

// Diagram is a trace as a sequence diagram. Servers are lanes, and each step is a row. Messages
// are arrows from the step that sends them to the step that receives or loses them.
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

// Mark is a link between two servers that a step cuts or mends.
type Mark struct {
	What string `json:"what"` // cut, mended
	A    int    `json:"a"`
	B    int    `json:"b"`
}

// Message is the path of one message. Rows are counted from 0.
type Message struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"` // its kind
	Full string `json:"full"` // all of it
	Sent int    `json:"sent"` // row; -1: the initial state holds it
	End  int    `json:"end"`  // row; -1: still in flight
	Lost bool   `json:"lost"` // removed by a step that is not its receiver's
}

// LanesOf are the lanes of a row: the acting server's, or those it is about.
func (r *Row) LanesOf() []int {
	if r.Lane >= 0 {
		return []int{r.Lane}
	}
	return r.Touched
}
