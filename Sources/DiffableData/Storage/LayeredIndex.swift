/// From identifiers to places, as layers of dictionaries of which the newer ones hide the older.
///
/// A copy shares every layer. Writing to an index that shares its newest layer begins another one on top, as large as
/// what is written, so appending to a copy of a large snapshot does not copy its index. A layer is merged into the one
/// below as soon as it is half as large, so there are O(log n) layers and each entry is moved O(log n) times.
struct LayeredIndex<ID: Hashable & Sendable>: Sendable {
  private struct Layer: Sendable {
    var places: [ID: ItemPlace] = [:]
    /// Shared exactly as long as the places are.
    var token = LayerToken()

    init(capacity: Int) { places.reserveCapacity(capacity) }
  }

  private var layers: [Layer] = []

  /// Whether nothing was ever written; a sufficient sign that an identifier is new.
  var isUntouched: Bool { layers.isEmpty }

  /// The place of an item, or nothing.
  ///
  /// - Complexity: O(log n) expected; O(1) for an index of one layer.
  subscript(id: ID) -> ItemPlace? {
    var layer = layers.count
    while layer > 0 {
      layer -= 1
      if let place = layers[layer].places[id] { return place.isRemoved ? nil : place }
    }
    return nil
  }

  /// Enters the place of each item of some runs of chunks.
  ///
  /// - Parameter onDuplicate: Called with an identifier that the layer being written knows already.
  /// - Complexity: O(k log n) amortised for k items, whether copies exist or not.
  mutating func place(
    _ runs: [PlacedRun], of items: ChunkedItems<ID>, onDuplicate: ((ID) -> Void)? = nil
  ) {
    guard !runs.isEmpty else { return }
    open(for: runs.reduce(0) { $0 + $1.slots.count })
    for run in runs {
      let chunk = items.chunks[run.chunk]
      let key = items.keys[run.chunk]
      for slot in run.slots {
        let old = layers[layers.count - 1].places.updateValue(
          ItemPlace(chunk: key, slot: Int32(slot)), forKey: chunk[slot])
        if let old, !old.isRemoved { onDuplicate?(chunk[slot]) }
      }
    }
    compact()
  }

  /// Forgets items; unknown ones are ignored.
  ///
  /// - Complexity: O(k log n) amortised for k items, whether copies exist or not.
  mutating func remove(_ ids: [ID]) {
    guard !layers.isEmpty, !ids.isEmpty else { return }
    open(for: ids.count)
    let last = layers.count - 1
    for id in ids {
      if last == 0 {
        layers[last].places.removeValue(forKey: id)
      } else {
        layers[last].places[id] = .removed
      }
    }
    compact()
  }

  /// Forgets everything.
  mutating func removeAll() { layers = [] }

  /// Sees to it that the newest layer may be written to without copying more than is written.
  private mutating func open(for count: Int) {
    guard !layers.isEmpty else { return layers.append(Layer(capacity: count)) }
    let last = layers.count - 1
    if !isKnownUniquelyReferenced(&layers[last].token) {
      guard layers[last].places.count <= count else { return layers.append(Layer(capacity: count)) }
      layers[last].token = LayerToken()
    }
    layers[last].places.reserveCapacity(layers[last].places.count + count)
  }

  private mutating func compact() {
    while layers.count > 1, layers[layers.count - 1].places.count * 2 >= layers[layers.count - 2].places.count {
      let top = layers.removeLast().places
      let last = layers.count - 1
      if !isKnownUniquelyReferenced(&layers[last].token) { layers[last].token = LayerToken() }
      // The order of this loop shows nowhere: each identifier is written once.
      for (id, place) in top {
        if place.isRemoved, last == 0 {
          layers[last].places.removeValue(forKey: id)
        } else {
          layers[last].places[id] = place
        }
      }
    }
  }
}
