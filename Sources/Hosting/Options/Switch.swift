/// The value of an option that turns something on or off.
enum OnOffValue: String, CaseIterable {
  case on
  case off
}
