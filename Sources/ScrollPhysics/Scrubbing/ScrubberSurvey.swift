/// Finds what begins where along a time line, part by part of the line, without looking at all there is.
///
/// Stretches, such as the sections of a collection or its items, stand one after the other. A part of the line in which
/// stretches of another group begin gets a mark where the group begins, any other one in which a stretch of another title
/// begins where that does: both are found by halving. What stands in the order of its titles is found right; in any other
/// order every mark is still where something begins, but more begins than is marked.
public struct ScrubberSurvey: Sendable {
  /// How many stretches there are.
  public let count: Int
  /// The room.
  public let scale: ScrubberScale

  private var slot = 0
  /// The first stretch that begins behind the parts that were looked at.
  private var next = 0
  /// The title of the one before it.
  private var lastTitle: ScrubberTitle?
  private var found: [ScrubberMark] = []

  /// Begins at the first part.
  public init(count: Int, scale: ScrubberScale) {
    self.count = max(0, count)
    self.scale = scale
  }

  /// Whether all parts were looked at.
  public var isDone: Bool { slot >= scale.slots || next >= count }

  /// Looks at more parts of the line.
  ///
  /// - Parameters:
  ///   - slots: how many, at most.
  ///   - place: where a stretch begins, as a share of the way, never before the one in front of it.
  ///   - title: what a stretch is called.
  /// - Complexity: O(log n) questions of each kind for each part, for n stretches.
  public mutating func advance(
    atMost slots: Int, place: (Int) -> Double, title: (Int) -> ScrubberTitle
  ) {
    let end = slot + min(max(0, slots), scale.slots - slot)
    while slot < end, next < count {
      slot += 1
      let first = next
      // The last part has all that is left: what begins on the last screen stands at the line's end.
      next =
        slot == scale.slots
        ? count : ScrubberSurvey.first(in: first..<count) { place($0) >= Double(slot) / Double(scale.slots) }
      guard next > first else { continue }
      let last = title(next - 1)
      defer { lastTitle = last }
      guard let before = lastTitle else {
        let title = next - 1 == first ? last : title(first)
        note(first, at: place(first), title, beginsGroup: title.group != nil)
        continue
      }
      guard last != before else { continue }
      let beginsGroup = last.group != before.group
      let stretch = ScrubberSurvey.first(in: first..<(next - 1)) {
        let title = title($0)
        return beginsGroup ? title.group != before.group : title != before
      }
      note(stretch, at: place(stretch), title(stretch), beginsGroup: beginsGroup)
    }
  }

  private mutating func note(_ stretch: Int, at place: Double, _ title: ScrubberTitle, beginsGroup: Bool) {
    let group = beginsGroup ? title.group : nil
    found.append(
      ScrubberMark(
        stretch: stretch, place: place.isNaN ? 0 : max(0, min(1, place)), text: group ?? title.label,
        beginsGroup: group != nil))
  }

  /// What was found, thinned: marks stand apart, and texts at a distance at which they can be read.
  ///
  /// Groups come first: a stretch's mark gives way to a group's, and a stretch's text is left out where a group's stands
  /// near.
  ///
  /// - Complexity: O(k) for k marks.
  public var marks: [ScrubberMark] {
    var marks: [ScrubberMark] = []
    for mark in found {
      guard let last = marks.last, isCloser(last, mark, than: scale.markPitch) else {
        marks.append(mark)
        continue
      }
      // It stands farther down, and so farther from the one before.
      if mark.beginsGroup, !last.beginsGroup, marks.count > 1 { marks[marks.count - 1] = mark }
    }
    label(&marks)
    return marks
  }

  private func label(_ marks: inout [ScrubberMark]) {
    var last: ScrubberMark?
    for index in marks.indices where marks[index].beginsGroup {
      if let last, isCloser(last, marks[index], than: scale.labelPitch) { continue }
      marks[index].isLabelled = true
      last = marks[index]
    }
    var following: [ScrubberMark?] = []
    var next: ScrubberMark?
    for mark in marks.reversed() {
      following.append(next)
      if mark.isLabelled { next = mark }
    }
    following.reverse()
    last = nil
    for index in marks.indices {
      let mark = marks[index]
      if !mark.isLabelled {
        if let last, isCloser(last, mark, than: scale.labelPitch) { continue }
        if let next = following[index], isCloser(mark, next, than: scale.labelPitch) { continue }
        guard !mark.beginsGroup else { continue }
        marks[index].isLabelled = true
      }
      last = marks[index]
    }
  }

  private func isCloser(_ one: ScrubberMark, _ other: ScrubberMark, than pitch: Double) -> Bool {
    (other.place - one.place) * scale.length < pitch
  }

  /// The first number of a range from which on something holds; its end where it does for none.
  private static func first(in range: Range<Int>, where isBehind: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if isBehind(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
