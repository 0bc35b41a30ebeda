public import FramePacing
public import ScrollPhysics

/// The positions of sections that scroll across their layout's axis, each as a function of time.
///
/// A section is here from when it is first moved; until then it stands at its beginning.
public struct OrthogonalScrolling: Sendable {
  /// A section's position.
  private struct Entry: Sendable {
    var section: Int
    var state: ScrollState
    /// Where it rested before it was touched.
    var restOffset = 0.0
    /// What moved it when that was told last.
    var reportedPhase = ScrollPhase.idle
    /// Whether it still has to be sent to where it may rest.
    var needsSettling = false
    /// Where its cells may wait along its own axis.
    var window = KeepWindow()
    /// Whether it moves, is held, or did so when it was looked at last.
    var isActive = false
  }

  /// Where a section comes to rest: asked with the section, where it rested before, where it would come to a stop by itself
  /// and how fast it goes.
  public typealias RestingOffset = (_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double

  /// Ascending by section.
  private var entries: [Entry] = []

  /// Nothing was moved.
  public init() {}

  /// How many sections move, are held, or did so when ``rest(at:)`` looked last: where none does, a frame has nothing to ask.
  public private(set) var activeCount = 0

  /// The sections that were ever moved, ascending.
  ///
  /// - Complexity: O(s) for s such sections; for what is asked in every frame there are places.
  public var sections: [Int] { entries.map(\.section) }

  /// How many sections were ever moved.
  public var count: Int { entries.count }

  /// The section at a place among those that were ever moved, ascending.
  public func section(at place: Int) -> Int { entries[place].section }

  /// Where the section at a place is at an instant, in points.
  public func offset(at place: Int, _ instant: FrameInstant) -> Double { entries[place].state.offset(at: instant) }

  /// Whether the section at a place moves, is held, or did so when ``rest(at:)`` looked last.
  public func isActive(at place: Int) -> Bool { entries[place].isActive }

  /// Where a section is at an instant, in points.
  ///
  /// - Complexity: O(log s) for s sections that were moved.
  public func offset(of section: Int, at instant: FrameInstant) -> Double {
    index(of: section).map { entries[$0].state.offset(at: instant) } ?? 0
  }

  /// Where a section will come to rest, in points.
  ///
  /// - Complexity: O(log s) for s sections that were moved.
  public func projectedOffset(of section: Int) -> Double {
    index(of: section).map { entries[$0].state.projectedOffset } ?? 0
  }

  /// A section's position as a function of time and where its cells may wait along its axis; nothing for one that was
  /// never moved.
  ///
  /// - Complexity: O(log s) for s sections that were moved.
  public func motion(of section: Int) -> (scroll: ScrollState, window: KeepWindow)? {
    index(of: section).map { (entries[$0].state, entries[$0].window) }
  }

  /// Sections are shown where they are at a frame's target: cells may wait ahead of where each goes.
  ///
  /// - Parameters:
  ///   - instant: the frame's target.
  ///   - lead: how long preparing takes.
  /// - Complexity: O(s) for s sections that were moved, no allocation.
  public mutating func updateWindows(shown instant: FrameInstant, lead: FrameDuration) {
    for place in entries.indices { entries[place].window.handle(entries[place].state, shown: instant, lead: lead) }
  }

  /// What moves a section at an instant.
  public func phase(of section: Int, at instant: FrameInstant) -> ScrollPhase {
    index(of: section).map { entries[$0].state.phase(at: instant) } ?? .idle
  }

  /// Whether a section will still move after an instant.
  public func isMoving(at instant: FrameInstant) -> Bool {
    activeCount > 0
      && entries.contains { ($0.needsSettling && $0.state.restInstant != nil) || $0.state.isMoving(at: instant) }
  }

  /// Whether an instant belongs to an interval in which late frames count.
  public func isTracked(at instant: FrameInstant) -> Bool {
    activeCount > 0 && entries.contains { $0.isActive && $0.state.isTracked(at: instant) }
  }

  /// Sections were shown where they are at a frame's target: those that rest there are looked at no more.
  ///
  /// - Complexity: O(1) where none moved, else O(s) for s sections that were moved; no allocation.
  public mutating func deactivateIdleSections(at instant: FrameInstant) {
    guard activeCount > 0 else { return }
    for place in entries.indices where entries[place].isActive {
      guard !entries[place].needsSettling, entries[place].state.phase(at: instant) == .idle else { continue }
      entries[place].isActive = false
      activeCount -= 1
    }
  }

  /// Nobody saw the sections for a while after an instant: what moves goes on from where it was then.
  ///
  /// - Complexity: O(1) where none moves, else O(s) for s sections that were moved.
  public mutating func delay(by duration: FrameDuration, after instant: FrameInstant) {
    guard activeCount > 0 else { return }
    for place in entries.indices where entries[place].isActive {
      entries[place].state.delay(by: duration, after: instant)
    }
  }

  /// A section that moves or is held stands where it is: whoever moved it cannot say so any more.
  ///
  /// - Complexity: O(log s) for s sections that were moved.
  public mutating func stop(_ section: Int, at instant: FrameInstant) {
    guard let place = index(of: section), entries[place].isActive else { return }
    entries[place].state.handle(.stop, at: instant)
    entries[place].needsSettling = false
  }

  /// Gives a section an event.
  ///
  /// - Parameters:
  ///   - event: what happened.
  ///   - section: the section.
  ///   - range: the offsets that it may have.
  ///   - tuning: how it moves.
  ///   - instant: when.
  ///   - resting: where it comes to rest.
  public mutating func handle(
    _ event: ScrollEvent, in section: Int, range: ScrollRange, tuning: ScrollTuning = .standard,
    at instant: FrameInstant, resting: RestingOffset
  ) {
    let place = ensureEntry(of: section)
    if !entries[place].isActive { activeCount += 1 }
    entries[place].isActive = true
    entries[place].state.tuning = tuning
    if range != entries[place].state.range {
      entries[place].state.handle(.rangeChanged(range, offsetAdjustment: 0), at: instant)
    }
    if event == .hold {
      // What a hand takes amid its way may go a page further than where it was going.
      if entries[place].state.restInstant != nil { entries[place].restOffset = entries[place].state.projectedOffset }
    } else if !entries[place].state.isMoving(at: instant), !entries[place].needsSettling {
      entries[place].restOffset = entries[place].state.offset(at: instant)
    }
    entries[place].state.handle(event, at: instant)
    // What hands still hold is let go later; a wheel's notch has an end from the beginning.
    entries[place].needsSettling = true
    settleSection(place, at: instant, resting)
  }

  /// Sends what was let go to where it may rest.
  public mutating func advance(to instant: FrameInstant, resting: RestingOffset) {
    for place in entries.indices where entries[place].needsSettling {
      guard entries[place].state.phase(at: instant) != .tracking else { continue }
      // As of when it was let go, whatever the frame rate.
      settleSection(place, at: min(instant, entries[place].state.releaseInstant ?? instant), resting)
    }
  }

  /// What moves sections now, where that is something else than when this was asked last.
  ///
  /// One that was let go and is sent to where it may rest decelerates.
  ///
  /// - Complexity: O(s) for s sections that were moved.
  public mutating func takePhaseChanges(
    at instant: FrameInstant
  ) -> [(section: Int, last: ScrollPhase, next: ScrollPhase)] {
    var changes: [(section: Int, last: ScrollPhase, next: ScrollPhase)] = []
    for place in entries.indices where entries[place].isActive {
      let (last, next) = (entries[place].reportedPhase, entries[place].state.phase(at: instant))
      guard next != last else { continue }
      entries[place].reportedPhase = next
      changes.append((entries[place].section, last, next))
    }
    return changes
  }

  /// Sections have other numbers, or are gone.
  ///
  /// - Parameter newSection: the new number of a section by its old one, no number twice.
  public mutating func remapSections(_ newSection: (Int) -> Int?) {
    entries = entries.compactMap { entry in
      newSection(entry.section).map { section in
        var entry = entry
        entry.section = section
        return entry
      }
    }.sorted { $0.section < $1.section }
    activeCount = entries.count { $0.isActive }
  }

  private mutating func settleSection(_ place: Int, at instant: FrameInstant, _ resting: RestingOffset) {
    let state = entries[place].state
    guard state.phase(at: instant) != .tracking else { return }
    entries[place].needsSettling = false
    let proposed = state.projectedOffset
    // A notch means to go somewhere, though nothing moves yet: it counts as being on the way for a quarter of a second.
    let offset = state.offset(at: instant)
    let isPulled = state.phase(at: instant) == .animating
    let velocity = isPulled ? (proposed - offset) / 0.25 : state.velocity(at: instant)
    let target =
      isPulled
      ? target(of: place, from: offset, toward: proposed, velocity, resting)
      : resting(entries[place].section, entries[place].restOffset, proposed, velocity)
    if (target - proposed).magnitude > 0.001 {
      entries[place].state.handle(.settle(at: target), at: instant)
    }
  }

  /// Where a notch or a key leads: where that is back to where the section stands, as its groups are far longer than a notch,
  /// to the first place to rest at beyond.
  private func target(
    of place: Int, from offset: Double, toward proposed: Double, _ velocity: Double, _ resting: RestingOffset
  ) -> Double {
    let range = entries[place].state.range
    var (way, proposed) = (proposed - offset, proposed)
    while true {
      let target = resting(entries[place].section, entries[place].restOffset, proposed, velocity)
      guard (target - offset) * way <= 0, way.magnitude > 0.5 else { return target }
      let next = range.clamp(offset + way * 2)
      guard next != proposed else { return target }
      (way, proposed) = (next - offset, next)
    }
  }

  private func index(of section: Int) -> Int? {
    let place = insertionIndex(of: section)
    return place < entries.count && entries[place].section == section ? place : nil
  }

  private mutating func ensureEntry(of section: Int) -> Int {
    let place = insertionIndex(of: section)
    if place == entries.count || entries[place].section != section {
      entries.insert(Entry(section: section, state: ScrollState()), at: place)
    }
    return place
  }

  private func insertionIndex(of section: Int) -> Int {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].section >= section { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
