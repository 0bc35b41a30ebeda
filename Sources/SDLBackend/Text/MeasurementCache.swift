package import Geometry
package import Rendering

/// Widths that were measured lately: at least the last so many, at most twice as many.
package struct MeasurementCache {
  /// What a width depends on.
  package nonisolated struct Key: Hashable {
    package let text: BytewiseText
    package let style: TextStyle
    package let scale: DisplayScale

    /// Makes a key.
    package init(text: String, style: TextStyle, scale: DisplayScale) {
      self.text = BytewiseText(text)
      self.style = style
      self.scale = scale
    }

    // Few texts are measured in two styles: the text alone finds its place.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private var widths: GenerationalCache<Key, Int>

  /// Makes an empty cache of a capacity.
  package init(capacity: Int = 2_048) { widths = GenerationalCache(capacity: capacity) }

  /// The number of widths kept.
  package var count: Int { widths.count }

  /// The width that was noted, which makes it young again.
  /// - Complexity: O(characters).
  package mutating func width(for key: Key) -> Int? { widths.value(for: key) }

  /// Notes a width.
  package mutating func insertWidth(_ width: Int, for key: Key) { widths.insert(width, for: key) }
}
