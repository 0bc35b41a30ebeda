/// How many items two lists begin and end with in common, found step by step.
struct CommonEnds: Sendable {
  private let old: HandleList
  private let new: HandleList
  private var front: (old: HandleCursor, new: HandleCursor)
  private var back: (old: HandleCursor, new: HandleCursor)
  private var isHeadDone = false

  /// How many items both begin with, as far as is known.
  private(set) var head = 0
  /// How many of the others both end with, as far as is known.
  private(set) var tail = 0

  init(_ old: HandleList, _ new: HandleList) {
    self.old = old
    self.new = new
    front = (HandleCursor(old, isForward: true), HandleCursor(new, isForward: true))
    back = (HandleCursor(old, isForward: false), HandleCursor(new, isForward: false))
  }

  /// Goes on until both ends are known or steps are used up; a step is an item, or what both share as a whole.
  ///
  /// - Returns: whether both ends are known.
  mutating func advance<ID>(_ names: HandleNames<ID>, steps: inout Int) -> Bool {
    if !isHeadDone {
      isHeadDone = CommonEnds.advance(&front, (old, new), &head, limit: .max, names, &steps)
      guard isHeadDone else { return false }
    }
    return CommonEnds.advance(&back, (old, new), &tail, limit: min(old.count, new.count) - head, names, &steps)
  }

  private static func advance<ID>(
    _ cursors: inout (old: HandleCursor, new: HandleCursor), _ lists: (old: HandleList, new: HandleList),
    _ length: inout Int, limit: Int, _ names: HandleNames<ID>, _ steps: inout Int
  ) -> Bool {
    while length < limit, !cursors.old.isAtEnd(of: lists.old), !cursors.new.isAtEnd(of: lists.new) {
      guard steps > 0 else { return false }
      steps -= 1
      if let mine = cursors.old.wholeBlock(of: lists.old), let theirs = cursors.new.wholeBlock(of: lists.new),
        mine.isSame(as: theirs)
      {
        length += mine.count
        cursors.old.passBlock(of: lists.old)
        cursors.new.passBlock(of: lists.new)
        continue
      }
      let run = min(cursors.old.runLength(in: lists.old), cursors.new.runLength(in: lists.new))
      var equal = run
      if !isSameLeaf(cursors, lists) {
        equal = names.commonLength(cursors.old.run(of: lists.old), cursors.new.run(of: lists.new), count: run)
        steps -= equal
      }
      length += equal
      guard equal == run else { break }
      cursors.old.pass(run, of: lists.old)
      cursors.new.pass(run, of: lists.new)
    }
    length = min(length, limit)
    return true
  }

  private static func isSameLeaf(
    _ cursors: (old: HandleCursor, new: HandleCursor), _ lists: (old: HandleList, new: HandleList)
  ) -> Bool {
    guard let mine = cursors.old.wholeLeaf(of: lists.old), let theirs = cursors.new.wholeLeaf(of: lists.new) else {
      return false
    }
    return mine.isSame(as: theirs)
  }
}
