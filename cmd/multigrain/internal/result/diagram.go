package result

import "fmt"

// Diagram is a trace as a sequence diagram. Nodes are lanes, and each step is a row. Messages are
// arrows from the step that sends them to the step that receives or loses them.
type Diagram struct {
	Lanes int `json:"lanes"`
	// Nodes are the names of the nodes, where the specification names them.
	Nodes    []string  `json:"nodes,omitempty"`
	Rows     []Row     `json:"rows"`
	Messages []Message `json:"messages"`
	// Departs is where code and specification differ; nil where the diagram has one side only.
	Departs *Departure `json:"departs,omitempty"`
}

// Row is one step.
type Row struct {
	Step   int    `json:"step"`
	Label  string `json:"label"` // action and parameters
	Module string `json:"module"`
	Lane   int    `json:"lane"` // the acting node, -1: none or several
	// Touched are the lanes that a step of the environment is about, by its parameters.
	Touched     []int `json:"touched,omitempty"`
	Environment bool  `json:"environment,omitempty"`
	// Stops says that the step is a crash of the one node that it is about.
	Stops bool   `json:"stops,omitempty"`
	Marks []Mark `json:"marks,omitempty"`
	// Changed says which variables get which values, where the step neither sends nor receives a
	// message.
	Changed []string `json:"changed,omitempty"`
}

// Mark is a link between two servers that a step cuts or mends.
type Mark struct {
	What string `json:"what"` // `cut` or `mended`
	A    int    `json:"a"`
	B    int    `json:"b"`
}

// Message is the path of one message. Rows are counted from 0.
type Message struct {
	From int    `json:"from"`
	To   int    `json:"to"`
	Text string `json:"text"` // its kind
	Full string `json:"full"` // the kind and the fields, as a record
	// Fields are the fields that messages of its kind carry, other than the kind, and other
	// fields that are not zero.
	Fields string `json:"fields,omitempty"`
	Sent   int    `json:"sent"` // row; -1: the initial state holds it
	End    int    `json:"end"`  // row; -1: still in flight
	Lost   bool   `json:"lost"` // removed by a step that is not its receiver's
	// Copy says that the environment put it in flight, as a copy of an equal one.
	Copy bool `json:"copy,omitempty"`
}

// Name returns the name of a lane.
func (d *Diagram) Name(lane int) string {
	if lane < len(d.Nodes) {
		return d.Nodes[lane]
	}
	return fmt.Sprintf("server %d", lane)
}

// LanesOf returns the lanes of a row: the acting node's, or those that a step of the environment is
// about.
func (r *Row) LanesOf() []int {
	if r.Environment && len(r.Touched) > 0 || r.Lane < 0 {
		return r.Touched
	}
	return []int{r.Lane}
}

// Isolated returns the node all of whose links a row disconnects or mends, as a crash does, and
// what happens to them. It returns -1 for a row about no link, or about links of several nodes.
func (r *Row) Isolated() (lane int, what string) {
	lanes := r.LanesOf()
	if len(lanes) != 1 || len(r.Marks) == 0 {
		return -1, ""
	}
	for _, m := range r.Marks {
		if m.A != lanes[0] && m.B != lanes[0] || m.What != r.Marks[0].What {
			return -1, ""
		}
	}
	return lanes[0], r.Marks[0].What
}
