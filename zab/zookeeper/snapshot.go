package zookeeper

// snapshotReader follows the structure of a snapshot of the data tree, as LearnerHandler.run writes
// it after SNAP. That is sessions (SerializeUtils.serializeSnapshot), access control lists
// (ReferenceCountedACLCache.serialize), nodes in preorder (DataTree.serializeNode) closed by the
// path "/", and a signature. Nothing of it is kept.
//
// The reader follows the structure and does not look for the signature, so a node that holds that
// text is harmless.
type snapshotReader struct {
	step       snapshotStep
	acls, list int32 // entries to come, of the cache and of one of its lists
}

type snapshotStep uint8

const (
	atSessions  snapshotStep = iota // their number
	atACLs                          // number of lists in the cache
	atACL                           // key of a list and its length
	atPerms                         // permissions and length of the scheme
	atIdentity                      // length of the identity
	atPath                          // length of a path
	inShortPath                     // a path of one byte
	atNodeData                      // length of a node's data
	atSignature                     // its length
	inSignature
)

// signature ends a snapshot.
const signature = "BenWasHere"

// statLen is the length of what follows a node's data: the key of its access control list and
// StatPersisted.
const statLen = 8 + 8*4 + 4*3 + 8*2

// begin returns the length of the first field.
func (r *snapshotReader) begin() (want int) {
	*r = snapshotReader{}
	return 4
}

// next reads a field and says how many bytes to pass over and how long the field after them is;
// want is -1 at the end. bad says what is wrong, "" if nothing is.
func (r *snapshotReader) next(field []byte, count *Snapshot) (over int64, want int, bad string) {
	n := int32(0)
	if len(field) >= 4 {
		n = int32At(field, len(field)-4) // most fields end with a length or a number
	}
	if n < -1 || n < 0 && (r.step == atSessions || r.step == atACLs || r.step == atPath) {
		if r.step != inSignature {
			return 0, 0, "a negative length"
		}
	}
	over = int64(max(n, 0))
	switch r.step {
	case atSessions:
		count.Sessions = int(n)
		r.step = atACLs
		return 12 * over, 4, ""
	case atACLs:
		r.acls = n
		count.ACLs = int(n)
		over, want = r.nextACL()
		return over, want, ""
	case atACL:
		r.list = n
		over, want = r.nextIdentity(0)
		return over, want, ""
	case atPerms:
		r.step = atIdentity
		return over, 4, ""
	case atIdentity:
		over, want = r.nextIdentity(over)
		return over, want, ""
	case atPath:
		if n == 1 {
			r.step = inShortPath
			return 0, 1, ""
		}
		r.step = atNodeData
		return over, 4, ""
	case inShortPath:
		if field[0] != '/' {
			return 0, 0, "a path that does not begin with /"
		}
		r.step = atSignature
		return 0, 4, ""
	case atNodeData:
		count.Nodes++
		r.step = atPath
		return over + statLen, 4, ""
	case atSignature:
		if n != int32(len(signature)) {
			return 0, 0, "no signature"
		}
		r.step = inSignature
		return 0, len(signature), ""
	}
	if string(field) != signature {
		return 0, 0, "no signature"
	}
	return 0, -1, ""
}

// nextACL asks for a list of the cache, or for the first node.
func (r *snapshotReader) nextACL() (over int64, want int) {
	if r.acls == 0 {
		r.step = atPath
		return 0, 4
	}
	r.acls--
	r.step = atACL
	return 0, 8 + 4
}

// nextIdentity asks for an entry of a list, after over bytes, or for the next list.
func (r *snapshotReader) nextIdentity(over int64) (int64, int) {
	if r.list <= 0 {
		_, want := r.nextACL()
		return over, want
	}
	r.list--
	r.step = atPerms
	return over, 4 + 4
}
