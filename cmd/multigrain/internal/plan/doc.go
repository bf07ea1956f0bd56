// Package plan predicts which compositions of a manifest can be explored whole within a budget, and
// chooses the finest of them: the verb plan.
package plan
