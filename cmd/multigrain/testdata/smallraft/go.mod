module example.com/smallraft

go 1.26
