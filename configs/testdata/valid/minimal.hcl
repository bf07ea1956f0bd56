system "zab" {
  source = "github.com/multigrain/multigrain/zab"
}

module "election" {
  grain = "baseline"
}
