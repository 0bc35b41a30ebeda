/// Which line of an item is to meet the same line of the viewport.
public enum ScrollAlignment: Hashable, Sendable {
  /// Their beginnings.
  case leading
  /// Their middles.
  case center
  /// Their ends.
  case trailing

  /// The line as a share of the length.
  public var unit: Double {
    switch self {
    case .leading: 0
    case .center: 0.5
    case .trailing: 1
    }
  }
}
