system "zab" {
  source = "../zab"
}

module "election" {
  grain = "coarse # ERROR: MG003 Invalid multi-line string # ERROR: MG003 Unterminated template string
} # ERROR: MG003 Invalid multi-line string
