extends = "extends-self.hcl" # ERROR: MG011 extends-self.hcl -> testdata/invalid/extends-self.hcl

system "zab" {
  source = "../zab"
}

