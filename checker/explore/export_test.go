package explore

// Small makes everything of o small that is large in use: the table grows from its first insertions on, and a chunk holds a
// handful of nodes.
func Small(o Options) Options {
	o.homes, o.block = 1, 512
	return o
}
