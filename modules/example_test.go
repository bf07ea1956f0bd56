package modules_test

import (
	"fmt"

	"github.com/multigrain/multigrain/modules"
)

// node is a server in the examples.
type node int8

func ExampleSet() {
	voters := modules.SetOf[node](0, 2)
	voters.Add(1)
	fmt.Println(voters.Len(), voters.Has(2), voters.Without(2).Has(2))
	fmt.Println(voters.IsQuorum(5), voters.Without(0).IsQuorum(5))
	// Output:
	// 3 true false
	// true false
}

func ExampleQuorum() {
	// Server 0 weighs as much as two others, and a quorum weighs 3 of 5.
	weighted := modules.Quorum{Members: 4, Weights: []int{2, 1, 1, 1}, Least: 3}
	fmt.Println(modules.SetOf[node](0, 3).IsQuorumOf(weighted))
	fmt.Println(modules.SetOf[node](2, 3).IsQuorumOf(weighted))
	// Output:
	// true
	// false
}

func ExampleSeq() {
	var log modules.Seq[uint8, [4]uint8]
	log.Append(7)
	log.Append(9)
	first := log.Prefix(1)
	fmt.Println(log.Len(), log.At(1), log.Last(), log.HasPrefix(&first))
	log.Truncate(1)
	fmt.Println(log == first)
	// Output:
	// 2 7 9 true
	// true
}

func ExampleMap() {
	var votes modules.Map[node, uint8, [3]uint8]
	votes.Put(0, 4)
	votes.Put(2, 5)
	later := votes.Where(func(_ node, epoch uint8) bool { return epoch > 4 })
	fmt.Println(votes.Keys().IsQuorum(3), votes.At(2), later.Len(), later.Has(2))
	// Output: true 5 1 true
}

// shownKind is the kind of a message, its first field.
type shownKind uint8

const (
	ask shownKind = iota + 1
	reply
)

type shownMessage struct {
	Kind shownKind
	Term uint8
}

type shownChannel = modules.Channel[shownMessage, [2]shownMessage]

func ExampleNet() {
	// Messages from one server to another keep their order.
	var net modules.Net[node, shownKind, shownMessage, [2]shownMessage, [3]shownChannel, [3][3]shownChannel]
	net.Tell(0, 3, shownMessage{Kind: ask, Term: 1})
	fmt.Println(net.Len(0, 1), net.Len(0, 2), net.Is(0, 1, reply))
	m := net.Recv(0, 1, ask) // server 1 receives from server 0
	fmt.Println(m.Term, net.Empty(0, 1))
	// Output:
	// 1 1 false
	// 1 true
}

func ExampleBag() {
	// Messages overtake one another, so each has a position.
	var bag modules.Bag[node, shownKind, shownMessage, [2]shownMessage, [3]shownChannel, [3][3]shownChannel]
	bag.Send(0, 1, shownMessage{Kind: ask, Term: 1})
	bag.Send(0, 1, shownMessage{Kind: ask, Term: 2})
	for p := range modules.Positions[node](3, 2) {
		if bag.Arrived(p, ask) && bag.Read(p, ask).Term == 2 {
			fmt.Println(p.I, p.J, bag.Take(p, ask).Term)
			bag.Reply(p, shownMessage{Kind: reply, Term: 2})
		}
	}
	fmt.Println(bag.Len(0, 1), bag.Len(1, 0))
	// Output:
	// 1 0 2
	// 1 1
}

func ExampleEachPair() {
	for p := range modules.EachPair[node](2) {
		fmt.Println(p.I, p.J)
	}
	// Output:
	// 0 1
	// 1 0
}
