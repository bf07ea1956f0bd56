// Package broken does not compile.
package broken

var X = Missing
