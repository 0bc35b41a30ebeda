/// One measure of the gallery's layouts, in points but for a number of columns.
nonisolated enum ZoomStep: Hashable, Sendable {
  /// So many columns.
  case columns(Int)
  /// As many columns as fit when each is at least so wide.
  case width(Double)
  /// Rows about so high.
  case height(Double)

  /// How many columns there are in a room of a width; 1 where the step tells no columns.
  func columns(in width: Double, spacing: Double) -> Int {
    switch self {
    case .columns(let count): count
    case .width(let minimum): max(1, Int(((width + spacing) / (minimum + spacing)).rounded(.down)))
    case .height: 1
    }
  }
}
