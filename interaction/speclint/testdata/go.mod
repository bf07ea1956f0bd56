module specs

go 1.26.8

require github.com/multigrain/multigrain v0.0.0

replace github.com/multigrain/multigrain => ../../..
