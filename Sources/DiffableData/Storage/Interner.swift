internal import VitrineDataStructures

/// A bidirectional map between identifiers and handles.
///
/// Copies share their common identifiers. Identifiers are stored in layers, and a copy that adds an identifier starts a
/// layer of its own. A layer is merged into the one below when it has at least half its size, so there are O(log n)
/// layers and each identifier is moved O(log n) times. The meaning of a handle never changes.
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
  /// - Complexity: O(log n), and O(1) for most handles.
  subscript(handle: Handle) -> ID {
    var layer = layers.count - 1
    while layers[layer].first > Int(handle) { layer -= 1 }
    return layers[layer].table.identifiers[Int(handle) - layers[layer].first]
  }

  /// All identifiers by handle if they are in a single array, otherwise nil.
  var soleIdentifiers: [ID]? { layers.count == 1 ? layers[0].table.identifiers : nil }

  /// Returns the handle of an identifier, or nil if it is unknown.
  ///
  /// - Complexity: O(log n) expected, or O(1) if all identifiers were added in one call.
  func handle(of id: ID) -> Handle? {
    let handle = handle(of: id, hash: id.hashValue, below: layers.count)
    return handle < 0 ? nil : handle
  }

  /// Returns the number of handles, starting at 0, that have the same meaning in both interners.
  func commonHandleCount(with other: Interner) -> Int {
    lineage.commonHandleCount(with: other.lineage, counts: (count, other.count))
  }

  /// Adds the first identifiers without hashing them, and returns whether it did.
  ///
  /// They get the handles from 0 on, in the same order. They are hashed when an identifier is looked up first, or by
  /// ``hashIdentifiers()``. An identifier that is named twice is noticed only then.
  ///
  /// - Complexity: O(1). The array is not copied.
  mutating func appendWithoutHashing(_ ids: [ID]) -> Bool {
    guard layers.isEmpty, ids.count >= IdentifierTable<ID>.minimumDeferredCount else { return false }
    checkPrecondition(ids.count < Int(Handle.max), "A snapshot cannot hold more than \(Handle.max) identifiers.")
    if !lineage.isUnshared() { lineage.branchOff(at: 0) }
    layers.append(Layer(first: 0, table: IdentifierTable(deferring: ids)))
    count = ids.count
    return true
  }

  /// Whether identifiers were added that are not hashed yet.
  var hasUnhashedIdentifiers: Bool { layers.contains { $0.table.isDeferred } }

  /// Takes what was hashed for this value and its copies, if anything, so that looking up an identifier is faster.
  mutating func adoptHashes() { for index in layers.indices { layers[index].table.adoptHashes() } }

  /// Hashes the identifiers that are not hashed yet, for this value and all of its copies.
  ///
  /// - Complexity: O(n).
  func hashIdentifiers() { for layer in layers { layer.table.hash() } }

  /// Returns the handles of identifiers, in the same order.
  ///
  /// New identifiers get the next handles.
  ///
  /// - Complexity: O(k log n) expected for k identifiers, amortised. O(k) if all identifiers were added in one call.
  mutating func intern(_ ids: [ID]) -> ContiguousArray<Handle> {
    var handles = ContiguousArray<Handle>()
    handles.reserveCapacity(ids.count)
    var next = 0
    if !layers.isEmpty {
      // Only new identifiers require writing.
      while next < ids.count {
        let handle = handle(of: ids[next], hash: ids[next].hashValue, below: layers.count)
        guard handle >= 0 else { break }
        handles.append(handle)
        next += 1
      }
    }
    guard next < ids.count else { return handles }
    prepareTopLayer(for: ids.count - next)
    // Written in place: a local copy of the layer would make its storage shared.
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
    mergeLayers()
    return handles
  }

  /// Returns the handle of an identifier in the lowest layers, or -1.
  private func handle(of id: ID, hash: Int, below end: Int) -> Handle {
    var layer = 0
    while layer < end {
      let number = layers[layer].table.find(id, hash: hash)
      if number >= 0 { return Handle(layers[layer].first) + number }
      layer += 1
    }
    return -1
  }

  /// Ensures that the top layer is not shared and has enough capacity, without copying more than is added.
  private mutating func prepareTopLayer(for added: Int) {
    let top = layers.count - 1
    let topCount = top < 0 ? 0 : layers[top].table.count
    let isUnshared = lineage.isUnshared()
    if !isUnshared { lineage.branchOff(at: count) }
    guard top >= 0, isUnshared || topCount <= added else {
      layers.append(Layer(first: count, table: IdentifierTable(capacity: added)))
      return
    }
    layers[top].table.reserve(topCount + added)
  }

  private mutating func mergeLayers() {
    while layers.count > 1, layers[layers.count - 1].table.count * 2 >= layers[layers.count - 2].table.count {
      let top = layers.removeLast().table
      let last = layers.count - 1
      layers[last].table.reserve(layers[last].table.count + top.count)
      for id in top.identifiers { _ = layers[last].table.insert(id, hash: id.hashValue) }
    }
  }
}

// MARK: - Lineage

/// The history of an interner's copies, which determines the handles that two snapshots have in common.
///
/// Copies share their handles. The first new identifier after a copy starts a branch. Only one copy adds handles to a
/// branch, so handles that two lineages have in the same branch are the same.
private struct Lineage: Sendable {
  /// An object that only has an identity.
  private final class Branch: Sendable {}

  private var branch = Branch()
  /// The previous branches, with the number of handles at the end of each.
  private var ancestors: ContiguousArray<(branch: Branch, end: Int)> = []

  /// The maximum number of previous branches.
  ///
  /// Identifiers that were added before them are compared by value.
  private static let maximumAncestors = 16

  /// Returns whether no copy shares the current branch.
  mutating func isUnshared() -> Bool { isKnownUniquelyReferenced(&branch) }

  /// Starts a branch.
  mutating func branchOff(at count: Int) {
    // The first branch is kept because it is likely to have the most handles.
    if ancestors.count == Lineage.maximumAncestors { ancestors.remove(at: 1) }
    ancestors.append((branch, count))
    branch = Branch()
  }

  /// Returns the number of handles, starting at 0, that have the same meaning in both lineages.
  func commonHandleCount(with other: Lineage, counts: (own: Int, other: Int)) -> Int {
    for depth in stride(from: ancestors.count, through: 0, by: -1) {
      let own = depth == ancestors.count ? (branch, counts.own) : ancestors[depth]
      if other.branch === own.0 { return min(own.1, counts.other) }
      if let ancestor = other.ancestors.last(where: { $0.branch === own.0 }) { return min(own.1, ancestor.end) }
    }
    return 0
  }
}

// MARK: - Handles of two snapshots

/// The correspondence between the handles of two snapshots.
///
/// Handles that were created before the snapshots diverged have the same meaning in both. All others are compared and
/// looked up by identifier.
struct HandleMapping<ID: Hashable & Sendable>: Sendable {
  private let old: Interner<ID>
  private let new: Interner<ID>
  /// The number of handles, starting at 0, that have the same meaning in both snapshots.
  let commonHandleCount: Int
  /// Whether all handles of at least one snapshot are common to both.
  private let areAllHandlesCommon: Bool

  init(old: Interner<ID>, new: Interner<ID>) {
    self.old = old
    self.new = new
    commonHandleCount = old.commonHandleCount(with: new)
    areAllHandlesCommon = commonHandleCount == min(old.count, new.count)
  }

  /// The number of handles of the old snapshot.
  var oldCount: Int { old.count }

  /// Returns the number of handles at the start of two runs in the same direction that have the same identifiers.
  ///
  /// - Parameters:
  ///   - oldRun: The run of the old snapshot.
  ///   - newRun: The run of the new snapshot.
  ///   - count: The number of handles to compare. Both runs have at least as many.
  func commonLength(_ oldRun: HandleRun, _ newRun: HandleRun, count: Int) -> Int {
    if areAllHandlesCommon { return oldRun.commonLength(with: newRun, count: count) }
    if commonHandleCount == 0, let old = old.soleIdentifiers, let new = new.soleIdentifiers {
      return old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in
          oldRun.commonLength(with: newRun, count: count) { old[Int($0)] == new[Int($1)] }
        }
      }
    }
    // If either handle is common to both snapshots, the identifiers are equal only if the handles are.
    return oldRun.commonLength(with: newRun, count: count) {
      Int($0) < commonHandleCount || Int($1) < commonHandleCount ? $0 == $1 : old[$0] == new[$1]
    }
  }

  /// Returns the old handle of a new handle's identifier, or -1 if there is none.
  ///
  /// - Complexity: O(1), or O(log n) expected for a handle that is not common to both snapshots.
  func oldHandle(of newHandle: Handle) -> Handle {
    if Int(newHandle) < commonHandleCount { return newHandle }
    if areAllHandlesCommon, commonHandleCount == old.count { return -1 }
    return old.handle(of: new[newHandle]) ?? -1
  }
}
