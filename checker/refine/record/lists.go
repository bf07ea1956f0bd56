package record

// Lists numbers lists of messages, so that a record holds one in four bytes. 0 is the empty list.
type Lists struct {
	size   int
	Bytes  []string
	number map[string]uint32
}

// NewLists returns the numbering of lists of messages of size bytes each. It has the empty list
// alone.
func NewLists(size int) *Lists {
	return &Lists{size, []string{""}, map[string]uint32{"": 0}}
}

// Of returns the number of the list with the bytes s. It numbers a list that has no number yet.
func (q *Lists) Of(s string) uint32 {
	if x, ok := q.number[s]; ok {
		return x
	}
	x := uint32(len(q.Bytes))
	q.Bytes = append(q.Bytes, s)
	q.number[s] = x
	return x
}

// Len returns how many messages list x has.
func (q *Lists) Len(x uint32) int { return len(q.Bytes[x]) / q.size }

// Push returns the number of list x with msg, of the size of a message, after the last one.
func (q *Lists) Push(x uint32, msg []byte) uint32 { return q.Of(q.Bytes[x] + string(msg)) }

// First returns a copy of the first message of list x, which must not be empty.
func (q *Lists) First(x uint32) []byte { return []byte(q.Bytes[x][:q.size]) }

// Pop returns the number of list x without its first message. The list must not be empty.
func (q *Lists) Pop(x uint32) uint32 { return q.Of(q.Bytes[x][q.size:]) }
