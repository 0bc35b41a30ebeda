package import VitrineGeometry
package import VitrineRendering

/// A cache of recently used values with a limited cost.
///
/// Values are in two generations. When the young one is full, it replaces the old one. This needs no time stamps and no
/// linked list, and the cost of eviction is O(1) for each value, amortized.
package nonisolated struct GenerationalCache<Key: Hashable, Value> {
  private struct Entry {
    let value: Value
    let cost: Int
  }

  private let capacity: Int
  private var young: [Key: Entry] = [:]
  private var old: [Key: Entry] = [:]
  private var youngCost = 0
  private var oldCost = 0

  /// Creates an empty cache.
  ///
  /// - Parameter capacity: The maximum cost of each generation. The latest values up to this cost are always cached.
  package init(capacity: Int) { self.capacity = max(1, capacity) }

  /// The number of cached values.
  package var count: Int { young.count + old.count }

  /// The cost of all cached values, at most twice the capacity.
  package var cost: Int { youngCost + oldCost }

  /// Returns the value for a key, or nil, and moves it to the young generation.
  /// - Complexity: O(1).
  package mutating func value(for key: Key) -> Value? {
    if let entry = young[key] { return entry.value }
    guard let entry = old.removeValue(forKey: key) else { return nil }
    oldCost -= entry.cost
    insert(entry.value, for: key, cost: entry.cost)
    return entry.value
  }

  /// Inserts a value, unless its cost exceeds the capacity.
  /// - Complexity: O(1), amortised.
  package mutating func insert(_ value: Value, for key: Key, cost: Int = 1) {
    if let former = young.removeValue(forKey: key) { youngCost -= former.cost }
    if let former = old.removeValue(forKey: key) { oldCost -= former.cost }
    guard cost <= capacity else { return }
    if youngCost + cost > capacity {
      old = young
      oldCost = youngCost
      young = [:]
      youngCost = 0
    }
    young[key] = Entry(value: value, cost: cost)
    youngCost += cost
  }
}

/// A cache of the most recently measured text widths, of between one and two times its capacity.
package struct MeasurementCache {
  /// The parameters of a measurement.
  package nonisolated struct Key: Hashable {
    package let text: BytewiseText
    package let style: TextStyle
    package let scale: DisplayScale

    /// Creates a key.
    package init(text: String, style: TextStyle, scale: DisplayScale) {
      self.text = BytewiseText(text)
      self.style = style
      self.scale = scale
    }

    // Few texts are measured in two styles, so hashing the text is sufficient.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }

  private var widths: GenerationalCache<Key, Int>

  /// Creates an empty cache.
  ///
  /// The default capacity is 2,048.
  package init(capacity: Int = 2_048) { widths = GenerationalCache(capacity: capacity) }

  /// The number of cached widths.
  package var count: Int { widths.count }

  /// Returns the width for a key, or nil, and moves it to the young generation.
  /// - Complexity: O(characters).
  package mutating func width(for key: Key) -> Int? { widths.value(for: key) }

  /// Inserts a width.
  package mutating func insertWidth(_ width: Int, for key: Key) { widths.insert(width, for: key) }
}
