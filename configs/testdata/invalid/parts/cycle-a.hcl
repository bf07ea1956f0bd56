extends = "cycle-b.hcl"
