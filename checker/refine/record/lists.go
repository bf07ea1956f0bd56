package record

// Lists numbers lists of messages, so that a record holds one in four bytes. 0 is the empty list.
type Lists struct {
	size   int
	Bytes  []string
	number map[string]uint32
}

func NewLists(size int) *Lists {
	return &Lists{size, []string{""}, map[string]uint32{"": 0}}
}

func (q *Lists) Of(s string) uint32 {
	if x, ok := q.number[s]; ok {
		return x
	}
	x := uint32(len(q.Bytes))
	q.Bytes = append(q.Bytes, s)
	q.number[s] = x
	return x
}

func (q *Lists) Len(x uint32) int { return len(q.Bytes[x]) / q.size }

func (q *Lists) Push(x uint32, msg []byte) uint32 { return q.Of(q.Bytes[x] + string(msg)) }

func (q *Lists) First(x uint32) []byte { return []byte(q.Bytes[x][:q.size]) }

func (q *Lists) Pop(x uint32) uint32 { return q.Of(q.Bytes[x][q.size:]) }
