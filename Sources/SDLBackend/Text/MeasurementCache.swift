package import Geometry
package import Rendering

/// Widths that were measured lately: at least the last so many, at most twice as many.
///
/// Two tables, and when the young one is full it becomes the old one: no clock, no list, and forgetting costs nothing.
package struct MeasurementCache {
  /// What a width depends on.
  package struct Key: Hashable {
    package let text: String
    package let style: TextStyle
    package let scale: DisplayScale

    /// Makes a key.
    package init(text: String, style: TextStyle, scale: DisplayScale) {
      self.text = text
      self.style = style
      self.scale = scale
    }
  }

  private let capacity: Int
  private var young: [Key: Int] = [:]
  private var old: [Key: Int] = [:]

  /// Makes an empty cache of a capacity.
  package init(capacity: Int = 2_048) {
    self.capacity = max(1, capacity)
    young.reserveCapacity(self.capacity)
  }

  /// The number of widths kept.
  package var count: Int { young.count + old.count }

  /// The width that was noted, which makes it young again.
  /// - Complexity: O(characters).
  package mutating func width(_ key: Key) -> Int? {
    if let width = young[key] { return width }
    guard let width = old.removeValue(forKey: key) else { return nil }
    note(width, for: key)
    return width
  }

  /// Notes a width.
  package mutating func note(_ width: Int, for key: Key) {
    if young.count >= capacity {
      old = young
      young = Dictionary(minimumCapacity: capacity)
    }
    young[key] = width
  }
}
