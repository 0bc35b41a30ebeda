/// An incremental search for the marks of a scrubber's timeline that does not visit every segment.
///
/// Segments, such as the sections of a collection or its items, follow one another. A slot of the timeline in which
/// another group starts gets a mark at the start of the group; otherwise one in which another title starts gets a mark
/// there. Both are found by bisection. Segments sorted by title yield exact marks; in any other order every mark is
/// still at a start, but not every start is marked.
public struct ScrubberSurvey: Sendable {
  /// The number of segments.
  public let count: Int
  /// The geometry of the timeline.
  public let scale: ScrubberScale

  private var slot = 0
  /// The first segment that starts behind the visited slots.
  private var next = 0
  /// The title of the segment before ``next``.
  private var lastTitle: ScrubberTitle?
  private var candidates: [ScrubberMark] = []

  /// Creates a search that starts at the first slot.
  public init(count: Int, scale: ScrubberScale) {
    self.count = max(0, count)
    self.scale = scale
  }

  /// Whether all slots have been visited.
  public var isDone: Bool { slot >= scale.slots || next >= count }

  /// Visits more slots of the timeline.
  ///
  /// - Parameters:
  ///   - slots: The maximum number of slots to visit.
  ///   - position: Returns the start of a segment as a fraction of the track, never before that of the previous
  ///     segment.
  ///   - title: Returns the title of a segment.
  /// - Complexity: O(log n) calls of each closure per slot, for n segments.
  public mutating func advance(
    atMost slots: Int, position: (Int) -> Double, title: (Int) -> ScrubberTitle
  ) {
    let end = slot + min(max(0, slots), scale.slots - slot)
    while slot < end, next < count {
      slot += 1
      let first = next
      // The last slot contains all remaining segments: those that start on the last screen are at the end of the
      // timeline.
      next =
        slot == scale.slots
        ? count : ScrubberSurvey.first(in: first..<count) { position($0) >= Double(slot) / Double(scale.slots) }
      guard next > first else { continue }
      let last = title(next - 1)
      defer { lastTitle = last }
      guard let before = lastTitle else {
        let title = next - 1 == first ? last : title(first)
        appendMark(first, at: position(first), title, beginsGroup: title.group != nil)
        continue
      }
      guard last != before else { continue }
      let beginsGroup = last.group != before.group
      let segment = ScrubberSurvey.first(in: first..<(next - 1)) {
        let title = title($0)
        return beginsGroup ? title.group != before.group : title != before
      }
      appendMark(segment, at: position(segment), title(segment), beginsGroup: beginsGroup)
    }
  }

  private mutating func appendMark(_ segment: Int, at place: Double, _ title: ScrubberTitle, beginsGroup: Bool) {
    let group = beginsGroup ? title.group : nil
    candidates.append(
      ScrubberMark(
        segment: segment, position: place.isNaN ? 0 : max(0, min(1, place)), text: group ?? title.label,
        beginsGroup: group != nil))
  }

  /// The marks found so far, thinned so that neither marks nor labels crowd each other.
  ///
  /// Groups take precedence: a segment's mark is dropped near a group's, and a segment's label is omitted near a
  /// group's.
  ///
  /// - Complexity: O(k) for k marks.
  public var marks: [ScrubberMark] {
    var marks: [ScrubberMark] = []
    for mark in candidates {
      guard let last = marks.last, isCloser(last, mark, than: scale.markPitch) else {
        marks.append(mark)
        continue
      }
      // The group's mark is farther down and thus farther from the mark before.
      if mark.beginsGroup, !last.beginsGroup, marks.count > 1 { marks[marks.count - 1] = mark }
    }
    labelMarks(&marks)
    return marks
  }

  private func labelMarks(_ marks: inout [ScrubberMark]) {
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
    (other.position - one.position) * scale.length < pitch
  }

  /// Returns the first number of a range from which on a predicate holds, or the end of the range if it never does.
  private static func first(in range: Range<Int>, where predicate: (Int) -> Bool) -> Int {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

/// A position on a timeline at which a segment or group starts.
public struct ScrubberMark: Hashable, Sendable {
  /// The number of the segment that starts there.
  public var segment: Int
  /// The position as a fraction of the track between the first and the last offset, 0 to 1.
  public var position: Double
  /// The name of the group or segment that starts there.
  public var text: String
  /// Whether a group of segments starts there.
  public var beginsGroup: Bool
  /// Whether there is enough space for the text.
  public var isLabelled = false

  /// Creates a mark without a visible label.
  public init(segment: Int, position: Double, text: String, beginsGroup: Bool) {
    self.segment = segment
    self.position = position
    self.text = text
    self.beginsGroup = beginsGroup
  }
}

/// The length of a timeline and the minimum distances of its marks and labels, in points.
public struct ScrubberScale: Hashable, Sendable {
  /// The distance that the center of the thumb moves between the first and the last offset.
  public var length: Double
  /// The minimum distance between marks.
  public var markPitch: Double
  /// The minimum distance between labels.
  public var labelPitch: Double
  /// The maximum number of slots; more marks are of no use on any screen.
  private static let maximumSlots = 2_048

  /// Creates a scale; a pitch that is not a positive number becomes 1, and a length that is not becomes 0.
  public init(length: Double, markPitch: Double, labelPitch: Double) {
    self.length = length.isFinite ? max(0, length) : 0
    self.markPitch = markPitch.isFinite && markPitch > 0 ? markPitch : 1
    self.labelPitch = labelPitch.isFinite && labelPitch > 0 ? max(labelPitch, self.markPitch) : self.markPitch
  }

  /// The number of slots of the timeline, each with at most one mark.
  public var slots: Int { Int(min(Double(ScrubberScale.maximumSlots), (length / markPitch).rounded(.down))) }
}

/// The title of a segment, shown next to the thumb and on the timeline.
public struct ScrubberTitle: Hashable, Sendable {
  /// The text in the bubble next to the thumb, such as `June 2021`.
  public var name: String
  /// The label on the timeline at the start of the segment, such as `Jun`.
  public var label: String
  /// The label of the enclosing group, such as `2021`, at the start of its first segment; nil without a group.
  public var group: String?

  /// Creates a title.
  public init(name: String, label: String, group: String? = nil) {
    self.name = name
    self.label = label
    self.group = group
  }
}
