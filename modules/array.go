package modules

// Array is the constraint by which a value type takes its capacity from the specification: the 2 in
// Seq[Txn, [2]Txn]. It is 0 to 64 elements, or 255 for logs that are validated. A capacity of 0
// makes an unused variable vanish from the state.
type Array[T any] interface {
	~[0]T | ~[1]T | ~[2]T | ~[3]T | ~[4]T | ~[5]T | ~[6]T | ~[7]T |
		~[8]T | ~[9]T | ~[10]T | ~[11]T | ~[12]T | ~[13]T | ~[14]T | ~[15]T |
		~[16]T | ~[17]T | ~[18]T | ~[19]T | ~[20]T | ~[21]T | ~[22]T | ~[23]T |
		~[24]T | ~[25]T | ~[26]T | ~[27]T | ~[28]T | ~[29]T | ~[30]T | ~[31]T |
		~[32]T | ~[33]T | ~[34]T | ~[35]T | ~[36]T | ~[37]T | ~[38]T | ~[39]T |
		~[40]T | ~[41]T | ~[42]T | ~[43]T | ~[44]T | ~[45]T | ~[46]T | ~[47]T |
		~[48]T | ~[49]T | ~[50]T | ~[51]T | ~[52]T | ~[53]T | ~[54]T | ~[55]T |
		~[56]T | ~[57]T | ~[58]T | ~[59]T | ~[60]T | ~[61]T | ~[62]T | ~[63]T |
		~[64]T | ~[255]T
}

// Index is the type of a server or of another small identity, counted from 0. Negative values stand
// for "none".
type Index interface{ ~int8 | ~uint8 }
