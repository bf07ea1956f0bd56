package tla

// Zxid is a published zxid <<epoch, counter>>. Counter 0 belongs to NEWLEADER.
type Zxid struct{ Epoch, Counter Number }

// Compare orders zxids by epoch, then counter: negative where z comes before y, 0 where they are
// equal. TLA+: ZxidCompare.
func (z Zxid) Compare(y Zxid) int {
	if z.Epoch != y.Epoch {
		return int(z.Epoch) - int(y.Epoch)
	}
	return int(z.Counter) - int(y.Counter)
}

// After reports whether z is greater than y.
func (z Zxid) After(y Zxid) bool { return z.Compare(y) > 0 }

// Follows reports whether a proposal z may come directly after y: the next of the epoch, or the
// first of a later one. TLA+: IsNextZxid.
func (z Zxid) Follows(y Zxid) bool {
	if z.Counter == 1 {
		return y.Epoch < z.Epoch
	}
	return z.Counter > 1 && z.Epoch == y.Epoch && z.Counter == y.Counter+1
}

// EpochZxid returns the zxid of NEWLEADER.
func EpochZxid(epoch Number) Zxid { return Zxid{epoch, 0} }
