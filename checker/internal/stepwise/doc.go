// Package stepwise answers questions about single steps of a specification: what is enabled at the
// end of a path, what each step would change, and what refuses the others.
//
// A path is the number of an initial state and the names of steps, as Elect(I: 0, Q: {0, 1}). The
// names of parameters may be left out: Elect(0,{0,1}). Nothing is kept between two questions, so a
// question means the same at any time.
//
// Package checker/wire has the types of questions and answers.
package stepwise
