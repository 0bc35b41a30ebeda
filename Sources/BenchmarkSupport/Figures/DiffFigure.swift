/// A thing that the benchmark of differences measures.
public enum DiffFigure: Hashable, Sendable {
  /// A snapshot of n identifiers by one append.
  case build
  /// The difference of two equal snapshots, built apart from each other.
  case unchangedApart
  /// The difference of two equal snapshots, both an emptied copy of one with everything appended anew.
  case unchangedDerived
  /// A copy of a snapshot, and one item inserted into it.
  case insertion(InsertionPlace)
  /// The difference after such an insertion.
  case insertionDiff(InsertionPlace)
  /// A copy of a snapshot, and scattered edits in it.
  case scatteredEdits
  /// The difference after them.
  case scatteredEditsDiff
  /// An emptied copy, and what the scattered edits come to appended anew.
  case scatteredAppend
  /// The difference after that: no storage is shared.
  case scatteredAppendDiff
  /// The published mix, appended anew.
  case mixDiff
  /// The same from two arrays of identifiers: both snapshots, and their difference.
  case mixFromIdentifiers
  /// Everything in the opposite order, appended anew.
  case reversedDiff
  /// Everything in random order, appended anew.
  case shuffledDiff

  /// The name in the table.
  public var label: String {
    switch self {
    case .build: "build by one append"
    case .unchangedApart: "no change, built apart: diff"
    case .unchangedDerived: "no change, appended anew: diff"
    case .insertion(let place): "insert at the \(place.rawValue): edit"
    case .insertionDiff(let place): "insert at the \(place.rawValue): diff"
    case .scatteredEdits: "1 % edits on a copy: edits"
    case .scatteredEditsDiff: "1 % edits on a copy: diff"
    case .scatteredAppend: "1 % edits, appended anew: append"
    case .scatteredAppendDiff: "1 % edits, appended anew: diff"
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
    case .unchangedApart: "unchanged-apart"
    case .unchangedDerived: "unchanged"
    case .insertion(let place): "insert-\(place.rawValue)"
    case .insertionDiff(let place): "insert-\(place.rawValue)-diff"
    case .scatteredEdits: "edits"
    case .scatteredEditsDiff: "edits-diff"
    case .scatteredAppend: "edits-anew"
    case .scatteredAppendDiff: "edits-anew-diff"
    case .mixDiff: "mix-diff"
    case .mixFromIdentifiers: "mix-from-arrays"
    case .reversedDiff: "reversed-diff"
    case .shuffledDiff: "shuffled-diff"
    }
  }

  /// What the time is to be at most, for snapshots of a size; nothing where no aim is set.
  public func timeAim(count: Int, kind: IdentifierKind) -> Aim? {
    switch (self, count) {
    case (.build, 1_000_000):
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

  /// How many times faster than the yardstick it is to be, for snapshots of a size; nothing where no aim is set.
  public func ratioAim(count: Int) -> Aim? { self == .mixDiff && count == 100_000 ? Aim(.ratio, 5) : nil }
}
