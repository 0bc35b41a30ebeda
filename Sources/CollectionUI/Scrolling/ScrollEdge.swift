import CollectionLayout

/// Which line of an item is brought to the same line of what is seen, along one axis.
nonisolated enum ScrollEdge {
  case start, middle, end, nearest

  /// The line that an alignment names.
  init(_ alignment: ScrollAlignment) {
    switch alignment {
    case .leading: self = .start
    case .center: self = .middle
    case .trailing: self = .end
    }
  }

  /// The line as a share of the length.
  var unit: Double {
    switch self {
    case .start, .nearest: 0
    case .middle: 0.5
    case .end: 1
    }
  }

  /// Where the offset comes to be.
  ///
  /// - Parameters:
  ///   - item: from where to where the item goes in the content, in points.
  ///   - seen: how much is seen of the content.
  ///   - offset: where it stands.
  func offset(showing item: ClosedRange<Double>, in seen: Double, from offset: Double) -> Double {
    switch self {
    case .start: item.lowerBound
    case .middle: (item.lowerBound + item.upperBound - seen) / 2
    case .end: item.upperBound - seen
    case .nearest: min(item.lowerBound, max(offset, item.upperBound - seen))
    }
  }
}
