import CollectionEngine
import DiffableData

/// What was announced by name, while the items' numbers change.
///
/// Numbers of before mean other items afterwards: what was wanted is kept by name until the next plan, which then is one of
/// all that is wanted, and is compared with that.
nonisolated struct AnnouncedItems<Name: Hashable> {
  /// What one is told.
  struct Changes {
    /// To be prefetched, in order.
    var prefetch: [Name] = []
    /// To be given up.
    var cancel: [Name] = []
    /// On screen before, and far from it now.
    var release: [Name] = []
    /// The numbers of items that were on screen under other ones, and whose data was asked for then.
    var seen: [Int] = []
  }

  private var announced: [Name] = []
  private var seen: [Name] = []

  /// Whether nothing is kept.
  var isEmpty: Bool { announced.isEmpty && seen.isEmpty }

  /// Notes what was wanted, before its numbers mean other items.
  mutating func add(announced more: some Sequence<Name>, seen moreSeen: some Sequence<Name>) {
    announced += more
    seen += moreSeen
  }

  /// Items have cells on screen: what was announced of these is not given up any more.
  ///
  /// - Complexity: O(1) where nothing was announced.
  mutating func recordShown(_ items: IndexRuns, name: (Int) -> Name?) {
    guard !announced.isEmpty else { return }
    var shown: Set<Name> = []
    items.forEach { if let item = name($0) { shown.insert(item) } }
    seen += announced.filter(shown.contains)
    announced.removeAll(where: shown.contains)
  }

  /// Gives away what is kept.
  mutating func takeAll() -> (announced: [Name], seen: [Name]) {
    defer { self = AnnouncedItems() }
    return (announced, seen)
  }

  /// Turns a plan into names, less what is known from before the items were numbered anew.
  ///
  /// - Parameters:
  ///   - plan: what changed.
  ///   - planner: the planner that made it.
  ///   - name: the name of an item by its number.
  mutating func resolvePlan(
    _ plan: PrefetchPlan, by planner: PrefetchPlanner, name: (Int) -> Name?
  ) -> Changes {
    var notice = Changes()
    plan.cancel.forEach { if let gone = name($0) { notice.cancel.append(gone) } }
    plan.release.forEach { if let gone = name($0) { notice.release.append(gone) } }
    guard !isEmpty else {
      notice.prefetch = plan.prefetch.compactMap(name)
      return notice
    }
    let kept = takeAll()
    let (former, formerSeen) = (Set(kept.announced), Set(kept.seen))
    var expected: Set<Name> = []
    for index in plan.prefetch {
      guard let item = name(index) else { continue }
      expected.insert(item)
      // On screen under its former number, and within reach still: its cell asked for its data.
      if formerSeen.contains(item) {
        notice.seen.append(index)
      } else if !former.contains(item) {
        notice.prefetch.append(item)
      }
    }
    planner.seen.forEach { if let item = name($0) { expected.insert(item) } }
    // Each is told once.
    expected.formUnion(notice.cancel)
    expected.formUnion(notice.release)
    notice.cancel += kept.announced.filter { !expected.contains($0) }
    notice.release += kept.seen.filter { !expected.contains($0) }
    return notice
  }
}
