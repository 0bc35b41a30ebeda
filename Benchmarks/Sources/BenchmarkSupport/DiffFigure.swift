public import FoundationEssentials
public import VitrineDataStructures

/// A measured case of the diff benchmark.
public enum DiffFigure: Hashable, Sendable {
  /// Building a snapshot of n identifiers with one append.
  case build
  /// Building such a snapshot and finding the index of one of its items, for which all are hashed.
  case buildAndAsk
  /// Finding the index of an item.
  case indexOfItem
  /// The diff of two equal snapshots that were built separately.
  case unchangedApart
  /// The diff of two equal snapshots, one of which is a copy of the other that was emptied and refilled.
  case unchangedDerived
  /// Copying a snapshot and inserting one item.
  case insertion(InsertionPosition)
  /// The diff after such an insertion.
  case insertionDiff(InsertionPosition)
  /// Copying a snapshot and applying scattered edits.
  case scatteredEdits
  /// The diff after scattered edits.
  case scatteredEditsDiff
  /// Emptying a copy and appending the result of the scattered edits.
  case scatteredAppend
  /// The diff after such a refill. The snapshots share no storage.
  case scatteredAppendDiff
  /// The diff after refilling a copy with the published mix of edits.
  case mixDiff
  /// The published mix of edits from two arrays of identifiers: both snapshots and their diff.
  case mixFromIdentifiers
  /// The diff after refilling a copy in reverse order.
  case reversedDiff
  /// The diff after refilling a copy in random order.
  case shuffledDiff

  /// The label in the table.
  public var label: String {
    switch self {
    case .build: "build by one append"
    case .buildAndAsk: "build and ask for one item"
    case .indexOfItem: "index of an item"
    case .unchangedApart: "no change, built apart: diff"
    case .unchangedDerived: "no change, appended again: diff"
    case .insertion(let position): "insert at the \(position.rawValue): edit"
    case .insertionDiff(let position): "insert at the \(position.rawValue): diff"
    case .scatteredEdits: "1 % edits on a copy: edits"
    case .scatteredEditsDiff: "1 % edits on a copy: diff"
    case .scatteredAppend: "1 % edits, appended again: append"
    case .scatteredAppendDiff: "1 % edits, appended again: diff"
    case .mixDiff: "-10 % +10 % 2 % moved: diff"
    case .mixFromIdentifiers: "-10 % +10 % 2 % moved: from arrays"
    case .reversedDiff: "reversed: diff"
    case .shuffledDiff: "shuffled: diff"
    }
  }

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .build: "build"
    case .buildAndAsk: "build-and-ask"
    case .indexOfItem: "index-of-item"
    case .unchangedApart: "unchanged-apart"
    case .unchangedDerived: "unchanged"
    case .insertion(let position): "insert-\(position.rawValue)"
    case .insertionDiff(let position): "insert-\(position.rawValue)-diff"
    case .scatteredEdits: "edits"
    case .scatteredEditsDiff: "edits-diff"
    case .scatteredAppend: "edits-again"
    case .scatteredAppendDiff: "edits-again-diff"
    case .mixDiff: "mix-diff"
    case .mixFromIdentifiers: "mix-from-arrays"
    case .reversedDiff: "reversed-diff"
    case .shuffledDiff: "shuffled-diff"
    }
  }

  /// Returns the upper bound on the time for snapshots of a size, or nil if there is none.
  public func timeAim(count: Int, kind: IdentifierKind) -> Aim? {
    switch (self, count) {
    case (.build, 1_000_000): Aim(.time, 1e6)
    case (.buildAndAsk, 1_000_000):
      switch kind {
      case .int: Aim(.time, 90e6)
      case .string: Aim(.time, 320e6)
      case .uuid: nil
      }
    case (.unchangedApart, 1_000_000), (.unchangedDerived, 1_000_000): Aim(.time, 2e6)
    case (.insertion, 1_000_000): Aim(.time, 30e3)
    case (.insertion, 10_000_000): Aim(.time, 60e3)
    case (.insertionDiff, 1_000_000): Aim(.time, 5e3)
    case (.scatteredEditsDiff, 1_000_000), (.scatteredAppendDiff, 1_000_000): Aim(.time, 10e6)
    case (.shuffledDiff, 1_000_000): Aim(.time, 60e6)
    default: nil
    }
  }

  /// Returns the lower bound on the speedup over Heckel's algorithm for snapshots of a size, or nil if there is none.
  public func ratioAim(count: Int) -> Aim? { self == .mixDiff && count == 100_000 ? Aim(.ratio, 5) : nil }
}

/// The position at which one item is inserted.
public enum InsertionPosition: String, CaseIterable, Sendable {
  /// Before the first item.
  case head
  /// In the middle.
  case middle
  /// After the last item.
  case end
}

// MARK: - Identifiers

/// An identifier that can be created from a number: equal for equal numbers and different for different ones.
public protocol BenchmarkIdentifier: Hashable, Sendable {
  /// The name in the table.
  static var kind: IdentifierKind { get }

  /// Returns the identifier for a number, in separate storage.
  ///
  /// The identifiers of consecutive numbers have no common prefix, so that hashing is not unrealistically cheap.
  static func identifier(of number: Int) -> Self
}

extension Int: BenchmarkIdentifier {
  /// The kind of 64-bit numbers.
  public static var kind: IdentifierKind { .int }

  /// Returns the number with its bits distributed over the whole word, one to one.
  public static func identifier(of number: Int) -> Int {
    Int(truncatingIfNeeded: SplitMix64.mix(UInt64(truncatingIfNeeded: number)))
  }
}

extension UUID: BenchmarkIdentifier {
  /// The kind of universally unique identifiers.
  public static var kind: IdentifierKind { .uuid }

  /// Returns sixteen bytes derived from the number.
  public static func identifier(of number: Int) -> UUID {
    let words = IdentifierBits(number)
    func byte(_ word: UInt64, _ position: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * position)) }
    let (a, b) = (words.first, words.second)
    return UUID(
      uuid: (
        byte(a, 0), byte(a, 1), byte(a, 2), byte(a, 3), byte(a, 4), byte(a, 5), byte(a, 6), byte(a, 7),
        byte(b, 0), byte(b, 1), byte(b, 2), byte(b, 3), byte(b, 4), byte(b, 5), byte(b, 6), byte(b, 7)
      ))
  }
}

extension String: BenchmarkIdentifier {
  /// The kind of strings.
  public static var kind: IdentifierKind { .string }

  /// Returns thirty-two hexadecimal digits derived from the number.
  public static func identifier(of number: Int) -> String {
    let words = IdentifierBits(number)
    return String(unsafeUninitializedCapacity: 32) { text in
      for position in 0..<32 {
        let word = position < 16 ? words.first : words.second
        let digit = UInt8(truncatingIfNeeded: word >> (4 * (position % 16))) & 15
        text[position] = digit < 10 ? 48 + digit : 87 + digit
      }
      return 32
    }
  }
}

/// A type of identifiers, by its name on the command line.
public enum IdentifierKind: String, CaseIterable, Sendable {
  /// 64-bit numbers.
  case int
  /// Universally unique identifiers of 16 bytes.
  case uuid
  /// Strings of 32 bytes, too long for inline storage.
  case string
}

/// The 128 bits from which a number's long identifiers are derived.
private struct IdentifierBits {
  /// A one-to-one function of the number.
  let first: UInt64
  /// A function of the first word.
  let second: UInt64

  init(_ number: Int) {
    first = SplitMix64.mix(UInt64(truncatingIfNeeded: number))
    second = SplitMix64.mix(first)
  }
}

// MARK: - Edits

/// Deletions, moves and insertions at random positions of the numbers below a count.
///
/// A moved or inserted item goes directly after an anchor, which is neither moved nor deleted. The edits are applied in
/// order, so of two items with the same anchor the later one comes first.
public struct ScatteredEdits: Hashable, Sendable {
  /// A number and the number that it is placed after.
  public struct Placement: Hashable, Sendable {
    /// The moved or inserted number.
    public let number: Int
    /// The number that it is placed after.
    public let anchor: Int
  }

  /// The count of the initial numbers, which start at 0.
  public let count: Int
  /// The deleted numbers, in random order.
  public let deletions: [Int]
  /// The moved numbers, in the order of the moves.
  public let moves: [Placement]
  /// The inserted numbers, from the count on, in the order of the insertions, which follow the moves.
  public let insertions: [Placement]

  /// Creates random edits.
  ///
  /// - Precondition: The sum of deleted and moved items is less than the count.
  /// - Complexity: O(n).
  public init(count: Int, deleted: Int, inserted: Int, moved: Int, random: inout SplitMix64) {
    checkPrecondition(deleted >= 0 && inserted >= 0 && moved >= 0, "A number of edits cannot be negative.")
    checkPrecondition(deleted + moved < count, "An item must stay where it is, for others to stand after.")
    self.count = count
    var numbers = Array(0..<count)
    for position in 0..<(deleted + moved) { numbers.swapAt(position, Int.random(in: position..<count, using: &random)) }
    deletions = Array(numbers[..<deleted])
    let remaining = numbers[(deleted + moved)...]
    func placements(of numbers: some Sequence<Int>, _ random: inout SplitMix64) -> [Placement] {
      numbers.map { Placement(number: $0, anchor: remaining[Int.random(in: remaining.indices, using: &random)]) }
    }
    moves = placements(of: numbers[deleted..<(deleted + moved)], &random)
    insertions = placements(of: count..<(count + inserted), &random)
  }

  /// Returns edits of about one percent: 0.4 percent each of deletions, insertions and moves.
  public static func onePercent(of count: Int, seed: UInt64) -> ScatteredEdits {
    var random = SplitMix64(seed: seed)
    let share = max(count / 250, 1)
    return ScatteredEdits(
      count: count, deleted: share, inserted: share, moved: share < count / 2 ? share : 0, random: &random)
  }

  /// Returns the mix of published comparisons: 10 percent deletions, 10 percent insertions and 2 percent moves.
  public static func publishedMix(of count: Int, seed: UInt64) -> ScatteredEdits {
    var random = SplitMix64(seed: seed)
    return ScatteredEdits(
      count: count, deleted: count / 10, inserted: count / 10, moved: count / 50, random: &random)
  }

  /// The numbers after all edits.
  ///
  /// - Complexity: O(n).
  public var result: [Int] {
    var remains = [Bool](repeating: true, count: count)
    for number in deletions { remains[number] = false }
    for move in moves { remains[move.number] = false }
    var followers: [Int: [Int]] = [:]
    for placement in moves + insertions { followers[placement.anchor, default: []].append(placement.number) }
    var result: [Int] = []
    result.reserveCapacity(count - deletions.count + insertions.count)
    for number in 0..<count where remains[number] {
      result.append(number)
      if let following = followers[number] { result.append(contentsOf: following.reversed()) }
    }
    return result
  }
}

// MARK: - Baseline

/// The diff of two arrays by Paul Heckel's algorithm (1978) with a standard library dictionary, as a baseline.
///
/// A plain implementation, like the published packages, and the fastest form of the algorithm: because no element
/// occurs twice, the symbol table only stores the index of an element, and the passes that extend matches to neighbors
/// find none. A remaining element that keeps its rank among the remaining elements is not moved; all others are.
public struct HeckelDifference: Hashable, Sendable {
  /// An element that changes its rank.
  public struct Move: Hashable, Sendable {
    /// The old index.
    public let from: Int
    /// The new index.
    public let to: Int

    /// Creates a move.
    @inlinable public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// The old indices of deleted elements, in ascending order.
  public let deletes: [Int]
  /// The new indices of inserted elements, in ascending order.
  public let inserts: [Int]
  /// The elements that change their rank, by destination.
  public let moves: [Move]

  /// Computes the diff.
  ///
  /// Inlinable, so that it is specialized for the caller's elements like the code that it is compared with.
  ///
  /// - Precondition: No element occurs twice in either array.
  /// - Complexity: O(n + m) for n old and m new elements, with one dictionary lookup per element.
  @inlinable public init<Element: Hashable>(from old: [Element], to new: [Element]) {
    var oldIndices: [Element: Int] = [:]
    oldIndices.reserveCapacity(old.count)
    for (index, element) in old.enumerated() { oldIndices[element] = index }

    var origins = [Int](repeating: -1, count: new.count)
    var isRetained = [Bool](repeating: false, count: old.count)
    var inserts: [Int] = []
    for (index, element) in new.enumerated() {
      if let origin = oldIndices[element] {
        origins[index] = origin
        isRetained[origin] = true
      } else {
        inserts.append(index)
      }
    }

    var deletes: [Int] = []
    var ranks = [Int](repeating: 0, count: old.count)
    for index in old.indices {
      ranks[index] = index - deletes.count
      if !isRetained[index] { deletes.append(index) }
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

// MARK: - Options

/// The options of `bench diff`, which measures snapshots and their diffs.
public struct DiffOptions: Hashable, Sendable {
  /// The numbers of items of a snapshot, one block of the table each.
  public var sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
  /// The types of identifiers.
  public var kinds = IdentifierKind.allCases
  /// The number of runs of each case.
  public var repeats = 7
  /// The path prefix of the callgrind profiles, or nil if the program does not run under callgrind.
  public var callgrindOutput: String?

  /// Parses the options that follow the benchmark's name.
  ///
  /// - Throws: ``CommandError`` that names the first invalid option.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") {
      sizes = [1_000, 100_000, 1_000_000]
      repeats = 3
    }
    if arguments.contains("--callgrind") {
      sizes = [1_000, 10_000]
      repeats = 1
    }
    var words = OptionWords(arguments)
    while let name = words.next() {
      switch name {
      case "--quick", "--instructions": break
      case "--n": sizes = try words.numbers(of: name, in: 2...100_000_000)
      case "--ids": kinds = try words.kinds(of: name)
      case "--repeat": repeats = try words.repeats(of: name)
      case "--callgrind":
        guard let output = words.next(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }
}
