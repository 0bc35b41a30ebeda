/// The value of an option that turns something on or off.
enum Switch: String, CaseIterable {
  case on
  case off
}
