import DataStructures
package import Geometry

/// What was drawn and not shown yet: a few rectangles, or all.
package nonisolated final class UndisplayedRegion {
  /// The most rectangles.
  package static let maximumRects = 16

  private let buffer = TrivialBuffer<PixelRect>(capacity: maximumRects + 1)

  /// Makes a list of nothing.
  package init() {}

  /// The rectangles, until the list is next changed.
  package var rects: UnsafeBufferPointer<PixelRect> { UnsafeBufferPointer(buffer.elements) }

  /// Adds a rectangle, unless another has all of it; where there are too many they become the one around them.
  /// - Complexity: O(``mostParts``).
  package func add(_ part: PixelRect) {
    guard !part.isEmpty, !rects.contains(where: { $0.contains(part) }) else { return }
    buffer.append(part)
    guard buffer.count > UndisplayedRegion.maximumRects else { return }
    let around = rects.reduce(PixelRect.zero) { $0.union($1) }
    buffer.removeAll()
    buffer.append(around)
  }

  /// All of it has been shown.
  package func removeAll() { buffer.removeAll() }
}
