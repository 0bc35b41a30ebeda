internal import DataStructures

/// Gives identifiers handles, and identifiers by handles.
///
/// A value whose copies share what they have in common: identifiers lie in layers, and a copy that needs a new one begins
/// a layer of its own, as large as what it adds. A layer is merged into the one below as soon as it is half as large, so
/// there are O(log n) of them and each identifier is moved O(log n) times. Handles never change their meaning.
struct Interner<ID: Hashable & Sendable>: Sendable {
  private struct Layer: Sendable {
    var first: Int
    var table: IdentifierTable<ID>
  }

  private var layers: ContiguousArray<Layer> = []
  private var lineage = Lineage()

  /// The number of handles.
  private(set) var count = 0

  /// The identifier of a handle.
  ///
  /// - Complexity: O(log n), O(1) for most.
  subscript(handle: Handle) -> ID {
    var layer = layers.count - 1
    while layers[layer].first > Int(handle) { layer -= 1 }
    return layers[layer].table.identifiers[Int(handle) - layers[layer].first]
  }

  /// All identifiers by handle, when they lie in one array.
  var soleIdentifiers: ContiguousArray<ID>? { layers.count == 1 ? layers[0].table.identifiers : nil }

  /// The handle of an identifier, or nothing.
  ///
  /// - Complexity: O(log n) expected; O(1) when it was built in one go.
  func handle(of id: ID) -> Handle? {
    let handle = handle(of: id, hash: id.hashValue, below: layers.count)
    return handle < 0 ? nil : handle
  }

  /// How many handles mean the same in both interners, from 0 on.
  func common(with other: Interner) -> Int {
    lineage.common(with: other.lineage, counts: (count, other.count))
  }

  /// The handles of identifiers, in their order; those that are new get the next ones.
  ///
  /// - Complexity: O(k log n) expected for k identifiers, amortised; O(k) for an interner that was built in one go.
  mutating func intern(_ ids: [ID]) -> ContiguousArray<Handle> {
    var handles = ContiguousArray<Handle>()
    handles.reserveCapacity(ids.count)
    var next = 0
    if !layers.isEmpty {
      // As long as nothing is new, nothing is written.
      while next < ids.count {
        let handle = handle(of: ids[next], hash: ids[next].hashValue, below: layers.count)
        guard handle >= 0 else { break }
        handles.append(handle)
        next += 1
      }
    }
    guard next < ids.count else { return handles }
    open(for: ids.count - next)
    // Written in place: no copy of a layer is to be held meanwhile.
    let top = layers.count - 1
    let first = layers[top].first
    for id in ids[next...] {
      let hash = id.hashValue
      var handle = handle(of: id, hash: hash, below: top)
      if handle < 0 { handle = Handle(first) + layers[top].table.insert(id, hash: hash) }
      handles.append(handle)
    }
    count = first + layers[top].table.count
    checkPrecondition(count < Int(Handle.max), "A snapshot cannot hold more than \(Handle.max) identifiers.")
    merge()
    return handles
  }

  /// The handle of an identifier in the lowest layers, or -1.
  private func handle(of id: ID, hash: Int, below end: Int) -> Handle {
    var layer = 0
    while layer < end {
      let number = layers[layer].table.find(id, hash: hash)
      if number >= 0 { return Handle(layers[layer].first) + number }
      layer += 1
    }
    return -1
  }

  /// Sees to it that the last layer is this interner's own and has room, without copying more than is added.
  private mutating func open(for added: Int) {
    let top = layers.count - 1
    let standing = top < 0 ? 0 : layers[top].table.count
    let isMine = lineage.isUnshared()
    if !isMine { lineage.part(at: count) }
    guard top >= 0, isMine || standing <= added else {
      layers.append(Layer(first: count, table: IdentifierTable(capacity: added)))
      return
    }
    layers[top].table.reserve(standing + added)
  }

  private mutating func merge() {
    while layers.count > 1, layers[layers.count - 1].table.count * 2 >= layers[layers.count - 2].table.count {
      let top = layers.removeLast().table
      let last = layers.count - 1
      layers[last].table.reserve(layers[last].table.count + top.count)
      for id in top.identifiers { _ = layers[last].table.insert(id, hash: id.hashValue) }
    }
  }
}
