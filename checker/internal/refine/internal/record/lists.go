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

// At returns a copy of the k-th message of list x, from 0.
func (q *Lists) At(x uint32, k int) []byte { return []byte(q.Bytes[x][k*q.size : (k+1)*q.size]) }

// Kind returns the first byte of the k-th message of list x.
func (q *Lists) Kind(x uint32, k int) uint8 { return q.Bytes[x][k*q.size] }

// Remove returns the number of list x without its k-th message.
func (q *Lists) Remove(x uint32, k int) uint32 {
	return q.Of(q.Bytes[x][:k*q.size] + q.Bytes[x][(k+1)*q.size:])
}
