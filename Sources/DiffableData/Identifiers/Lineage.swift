/// Which handles two snapshots gave out together, before they parted.
///
/// Copies share handles. The first identifier that is new to one of them after the copy begins a branch; a branch has one
/// writer only, so that what two lineages both gave out in a branch they gave out together.
struct Lineage: Sendable {
  /// Something of which nothing counts but which it is.
  private final class Branch: Sendable {}

  private var branch = Branch()
  /// The branches before, with the number of handles when each was left.
  private var ancestors: ContiguousArray<(branch: Branch, end: Int)> = []

  /// How many branches before are remembered; what was parted longer ago is compared by identifiers.
  private static let memory = 16

  /// Whether no copy shares the present branch.
  mutating func isUnshared() -> Bool { isKnownUniquelyReferenced(&branch) }

  /// Begins a branch.
  mutating func part(at count: Int) {
    // The first is kept: it is likely to hold the most.
    if ancestors.count == Lineage.memory { ancestors.remove(at: 1) }
    ancestors.append((branch, count))
    branch = Branch()
  }

  /// How many handles mean the same in both, from 0 on.
  func common(with other: Lineage, counts: (mine: Int, other: Int)) -> Int {
    for depth in stride(from: ancestors.count, through: 0, by: -1) {
      let mine = depth == ancestors.count ? (branch, counts.mine) : ancestors[depth]
      if other.branch === mine.0 { return min(mine.1, counts.other) }
      if let theirs = other.ancestors.last(where: { $0.branch === mine.0 }) { return min(mine.1, theirs.end) }
    }
    return 0
  }
}
