system "zab" {
  source = "../zab"

module "election" { # ERROR: MG003 Unclosed configuration block
  grain = "coarse"
  bounds {
    servers = 3
  }
