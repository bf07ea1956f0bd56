extends = "parts/cycle-a.hcl"
