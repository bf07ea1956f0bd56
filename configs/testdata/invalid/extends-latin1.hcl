extends = "parts/latin1.hcl"
