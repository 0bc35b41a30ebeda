/// What handles of two snapshots mean to each other.
///
/// Those that both gave out together are the same number; the others are compared, and found, by their identifiers.
struct HandleNames<ID: Hashable & Sendable>: Sendable {
  private let old: Interner<ID>
  private let new: Interner<ID>
  /// How many handles mean the same in both, from 0 on.
  let common: Int
  /// Whether all do that one of the two has.
  private let areAllCommon: Bool

  init(old: Interner<ID>, new: Interner<ID>) {
    self.old = old
    self.new = new
    common = old.common(with: new)
    areAllCommon = common == min(old.count, new.count)
  }

  /// How many handles the old snapshot gave out.
  var oldCount: Int { old.count }

  /// How many handles of two runs in one direction name the same identifiers, from their first on.
  ///
  /// - Parameter count: how many are compared; both have as many.
  func commonLength(_ mine: HandleRun, _ theirs: HandleRun, count: Int) -> Int {
    if areAllCommon { return mine.commonLength(with: theirs, count: count) }
    if common == 0, let old = old.soleIdentifiers, let new = new.soleIdentifiers {
      return old.withUnsafeBufferPointer { old in
        new.withUnsafeBufferPointer { new in
          mine.commonLength(with: theirs, count: count) { old[Int($0)] == new[Int($1)] }
        }
      }
    }
    // An identifier that both know together has one number: where one handle is such, the other must equal it.
    return mine.commonLength(with: theirs, count: count) {
      Int($0) < common || Int($1) < common ? $0 == $1 : old[$0] == new[$1]
    }
  }

  /// The old handle of the identifier that a new one names, or -1.
  ///
  /// - Complexity: O(1); O(log n) expected for one that is not common to both.
  func oldHandle(of theirs: Handle) -> Handle {
    if Int(theirs) < common { return theirs }
    if areAllCommon, common == old.count { return -1 }
    return old.handle(of: new[theirs]) ?? -1
  }
}
