public import DataStructures

/// Deletions, moves and insertions at random places of the numbers below a count.
///
/// An item that is moved or inserted comes to stand right after another, which itself neither moves nor goes. They are
/// put there one after the other, so of two behind the same item the later one comes first.
public struct ScatteredEdits: Hashable, Sendable {
  /// A number that comes to stand right after another.
  public struct Placement: Hashable, Sendable {
    /// What is moved or inserted.
    public let number: Int
    /// What it stands after.
    public let anchor: Int
  }

  /// How many numbers there were, from 0 on.
  public let count: Int
  /// The numbers that go, in random order.
  public let deletions: [Int]
  /// The numbers that move, in the order of moving.
  public let moves: [Placement]
  /// The numbers that come, from the count on, in the order of coming, after the moves.
  public let insertions: [Placement]

  /// Draws edits by lot.
  ///
  /// - Precondition: Fewer are deleted and moved together than there are.
  /// - Complexity: O(n).
  public init(count: Int, deleted: Int, inserted: Int, moved: Int, random: inout SplitMix64) {
    checkPrecondition(deleted >= 0 && inserted >= 0 && moved >= 0, "A number of edits cannot be negative.")
    checkPrecondition(deleted + moved < count, "An item must stay where it is, for others to stand after.")
    self.count = count
    var numbers = Array(0..<count)
    for place in 0..<(deleted + moved) { numbers.swapAt(place, Int.random(in: place..<count, using: &random)) }
    deletions = Array(numbers[..<deleted])
    let staying = numbers[(deleted + moved)...]
    func placements(of numbers: some Sequence<Int>, _ random: inout SplitMix64) -> [Placement] {
      numbers.map { Placement(number: $0, anchor: staying[Int.random(in: staying.indices, using: &random)]) }
    }
    moves = placements(of: numbers[deleted..<(deleted + moved)], &random)
    insertions = placements(of: count..<(count + inserted), &random)
  }

  /// About one item in a hundred: four in a thousand are deleted, inserted and moved each.
  public static func onePercent(of count: Int, seed: UInt64) -> ScatteredEdits {
    var random = SplitMix64(seed: seed)
    let share = max(count / 250, 1)
    return ScatteredEdits(
      count: count, deleted: share, inserted: share, moved: share < count / 2 ? share : 0, random: &random)
  }

  /// The mix of published comparisons: a tenth is deleted, a tenth inserted, a fiftieth moved.
  public static func publishedMix(of count: Int, seed: UInt64) -> ScatteredEdits {
    var random = SplitMix64(seed: seed)
    return ScatteredEdits(
      count: count, deleted: count / 10, inserted: count / 10, moved: count / 50, random: &random)
  }

  /// What the numbers below the count come to.
  ///
  /// - Complexity: O(n).
  public var result: [Int] {
    var stays = [Bool](repeating: true, count: count)
    for number in deletions { stays[number] = false }
    for move in moves { stays[move.number] = false }
    var followers: [Int: [Int]] = [:]
    for placement in moves + insertions { followers[placement.anchor, default: []].append(placement.number) }
    var result: [Int] = []
    result.reserveCapacity(count - deletions.count + insertions.count)
    for number in 0..<count where stays[number] {
      result.append(number)
      if let behind = followers[number] { result.append(contentsOf: behind.reversed()) }
    }
    return result
  }
}
