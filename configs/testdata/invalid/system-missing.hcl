# ERROR: MG007 A manifest says which system it composes
module "election" {
  grain = "coarse"
}
