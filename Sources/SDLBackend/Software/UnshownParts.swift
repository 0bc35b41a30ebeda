import DataStructures
package import Geometry

/// What was drawn and not shown yet: a few rectangles, or all.
package nonisolated final class UnshownParts {
  /// The most rectangles.
  package static let mostParts = 16

  private let buffer = TrivialBuffer<PixelRect>(capacity: mostParts + 1)

  /// Makes a list of nothing.
  package init() {}

  /// The rectangles, until the list is next changed.
  package var parts: UnsafeBufferPointer<PixelRect> { UnsafeBufferPointer(buffer.elements) }

  /// Adds a rectangle, unless another has all of it; where there are too many they become the one around them.
  /// - Complexity: O(``mostParts``).
  package func add(_ part: PixelRect) {
    guard !part.isEmpty, !parts.contains(where: { $0.contains(part) }) else { return }
    buffer.append(part)
    guard buffer.count > UnshownParts.mostParts else { return }
    let around = parts.reduce(PixelRect.zero) { $0.union($1) }
    buffer.removeAll()
    buffer.append(around)
  }

  /// All of it has been shown.
  package func removeAll() { buffer.removeAll() }
}
