/// The photographs of a library whose names other photographs have too, in other folders.
package struct RepeatedNames: Hashable, Sendable {
  private var bits = PhotoBits()

  /// Creates an empty set.
  package init() {}

  /// Finds the photographs with repeated names.
  ///
  /// - Parameters:
  ///   - items: The photographs, each once.
  ///   - records: Their records.
  ///   - shouldContinue: A closure called once for each few thousand photographs, which returns false to stop. Default:
  ///     always true.
  /// - Returns: The set, or nil if it was stopped.
  /// - Complexity: O(*n*) expected.
  package init?(among items: [PhotoID], in records: any PhotoRecords, shouldContinue: () -> Bool = { true }) {
    bits.grow(to: records.count)
    // A hash table with open addressing, of the first photograph with each name.
    var capacity = 16
    while capacity < items.count * 2 { capacity *= 2 }
    var slots = [UInt32](repeating: 0, count: capacity)
    for (index, item) in items.enumerated() {
      guard index % 4_096 != 0 || shouldContinue() else { return nil }
      guard let name = records.name(of: item), Int(item.rawValue) <= bits.count else { continue }
      var hasher = Hasher()
      name.withUnsafeBytes { hasher.combine(bytes: $0) }
      var slot = hasher.finalize() & (capacity - 1)
      while slots[slot] != 0 {
        let other = PhotoID(rawValue: slots[slot])
        if records.name(of: other) == name {
          bits[Int(other.rawValue) - 1] = true
          bits[Int(item.rawValue) - 1] = true
          break
        }
        slot = (slot + 1) & (capacity - 1)
      }
      if slots[slot] == 0 { slots[slot] = item.rawValue }
    }
    bits.trim()
  }

  /// Returns whether another photograph has the same name.
  package func contains(_ item: PhotoID) -> Bool { bits[Int(item.rawValue) - 1] }
}
