/// The difference of two arrays by Paul Heckel's method (1978), over the standard library's dictionary: the yardstick.
///
/// Written plainly, as published packages do it, and in the fastest form it has: where no element comes twice the symbol
/// table need only say where an element was, and the passes that spread matches to neighbours find nothing to do.
/// What keeps its rank among the elements that stay is not moved; everything else that stays is.
public struct HeckelDifference: Hashable, Sendable {
  /// An element that changes its rank.
  public struct Move: Hashable, Sendable {
    /// Where it was.
    public let from: Int
    /// Where it comes to stand.
    public let to: Int

    /// Makes a move.
    @inlinable public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// Old indexes of elements that go, in order.
  public let deletes: [Int]
  /// New indexes of elements that come, in order.
  public let inserts: [Int]
  /// Elements that change their rank, by destination.
  public let moves: [Move]

  /// Finds the difference.
  ///
  /// Inlinable, so that it is compiled for the caller's elements like what it is compared with.
  /// - Precondition: No element comes twice in either array.
  /// - Complexity: O(n + m) for n old and m new elements, one look into the dictionary each.
  @inlinable public init<Element: Hashable>(from old: [Element], to new: [Element]) {
    var places: [Element: Int] = [:]
    places.reserveCapacity(old.count)
    for (index, element) in old.enumerated() { places[element] = index }

    var origins = [Int](repeating: -1, count: new.count)
    var isKept = [Bool](repeating: false, count: old.count)
    var inserts: [Int] = []
    for (index, element) in new.enumerated() {
      if let origin = places[element] {
        origins[index] = origin
        isKept[origin] = true
      } else {
        inserts.append(index)
      }
    }

    var deletes: [Int] = []
    var ranks = [Int](repeating: 0, count: old.count)
    for index in old.indices {
      ranks[index] = index - deletes.count
      if !isKept[index] { deletes.append(index) }
    }

    var moves: [Move] = []
    var rank = 0
    for (index, origin) in origins.enumerated() where origin >= 0 {
      if ranks[origin] != rank { moves.append(Move(from: origin, to: index)) }
      rank += 1
    }
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
  }
}
