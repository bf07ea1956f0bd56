package main

type preservation struct{}

func (p *preservation) summary(painter) string    { return "" }
func (p *preservation) verdict() string           { return "skipped" }
func (p *preservation) document() *interactionDoc { return nil }

type interactionDoc struct{}
type whyDoc struct{}

func (c *call) preserve(o *outcome) {}

var interactionVerb = verb{name: "interaction", args: "MANIFEST", summary: "x", least: 1, most: 1, run: func(c *call) int { return 0 }}
