public import VitrineFramePacing
public import VitrineScrollPhysics

/// The scroll positions of orthogonal sections, each as a function of time.
///
/// A section has an entry from its first movement. Until then its offset is 0.
public struct OrthogonalScrolling: Sendable {
  /// The scroll state of a section.
  private struct Entry: Sendable {
    var section: Int
    var state: ScrollState
    /// The resting offset before the current movement.
    var restOffset = 0.0
    /// The scroll phase that was reported last.
    var reportedPhase = ScrollPhase.idle
    /// Whether the section must still be sent to a resting offset.
    var needsSettling = false
    /// The window in which the section's cells may wait, along its own axis.
    var window = KeepWindow()
    /// Whether the section moves or is held, or did so at the last check.
    var isActive = false
  }

  /// Returns the resting offset of a section from its previous resting offset, the offset where it would stop by
  /// itself, and its velocity.
  public typealias RestingOffset = (_ section: Int, _ from: Double, _ proposed: Double, _ velocity: Double) -> Double

  /// The entries, ascending by section.
  private var entries: [Entry] = []

  /// Creates a state in which no section has moved.
  public init() {}

  /// The number of sections that move or are held, or did so at the last call of ``deactivateIdleSections(at:)``.
  ///
  /// If it is 0, a frame need not examine them.
  public private(set) var activeCount = 0

  // MARK: - Positions

  /// The number of sections that have ever moved.
  public var count: Int { entries.count }

  /// Returns the section at a position among those that have ever moved, ascending.
  public func section(at position: Int) -> Int { entries[position].section }

  /// Returns the offset of the section at a position, in points.
  public func offset(at position: Int, _ instant: FrameInstant) -> Double {
    entries[position].state.offset(at: instant)
  }

  /// Returns whether the section at a position moves or is held, or did so at the last call of
  /// ``deactivateIdleSections(at:)``.
  public func isActive(at position: Int) -> Bool { entries[position].isActive }

  /// Returns the offset of a section at an instant, in points.
  ///
  /// - Complexity: O(log s) for s sections that have moved.
  public func offset(of section: Int, at instant: FrameInstant) -> Double {
    index(of: section).map { entries[$0].state.offset(at: instant) } ?? 0
  }

  /// Returns the offset where a section will come to rest, in points.
  ///
  /// - Complexity: O(log s) for s sections that have moved.
  public func projectedOffset(of section: Int) -> Double {
    index(of: section).map { entries[$0].state.projectedOffset } ?? 0
  }

  /// Returns a section's position as a function of time, and the window in which its cells may wait.
  ///
  /// Returns nil if the section has never moved.
  ///
  /// - Complexity: O(log s) for s sections that have moved.
  public func motion(of section: Int) -> (scroll: ScrollState, window: KeepWindow)? {
    index(of: section).map { (entries[$0].state, entries[$0].window) }
  }

  /// Updates the windows in which cells may wait, for a frame.
  ///
  /// - Parameters:
  ///   - instant: The frame's target time.
  ///   - lead: The time that preparation takes.
  /// - Complexity: O(s) for s sections that have moved, no allocation.
  public mutating func updateWindows(shown instant: FrameInstant, lead: FrameDuration) {
    for position in entries.indices {
      entries[position].window.handle(entries[position].state, shown: instant, lead: lead)
    }
  }

  // MARK: - Activity

  /// Returns whether any section moves after an instant.
  public func isMoving(at instant: FrameInstant) -> Bool {
    activeCount > 0
      && entries.contains { ($0.needsSettling && $0.state.restInstant != nil) || $0.state.isMoving(at: instant) }
  }

  /// Returns whether an instant is in an interval in which late frames are counted.
  public func isTracked(at instant: FrameInstant) -> Bool {
    activeCount > 0 && entries.contains { $0.isActive && $0.state.isTracked(at: instant) }
  }

  /// Deactivates the sections that are at rest at a frame's target time.
  ///
  /// - Complexity: O(1) if no section is active, otherwise O(s) for s sections that have moved. No allocation.
  public mutating func deactivateIdleSections(at instant: FrameInstant) {
    guard activeCount > 0 else { return }
    for position in entries.indices where entries[position].isActive {
      guard !entries[position].needsSettling, entries[position].state.phase(at: instant) == .idle else { continue }
      entries[position].isActive = false
      activeCount -= 1
    }
  }

  // MARK: - Events

  /// Delays all movements after an instant, so that sections continue from their last displayed offsets after an
  /// interruption.
  ///
  /// - Complexity: O(1) if no section is active, otherwise O(s) for s sections that have moved.
  public mutating func delay(by duration: FrameDuration, after instant: FrameInstant) {
    guard activeCount > 0 else { return }
    for position in entries.indices where entries[position].isActive {
      entries[position].state.delay(by: duration, after: instant)
    }
  }

  /// Stops a section, because what moved it no longer can.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - settles: Whether it then moves to the nearest offset where it may rest, rather than staying at its current one.
  ///     Default: false.
  ///   - instant: The time.
  /// - Complexity: O(log s) for s sections that have moved.
  public mutating func stop(_ section: Int, settles: Bool = false, at instant: FrameInstant) {
    guard let position = index(of: section), entries[position].isActive else { return }
    entries[position].state.handle(.stop, at: instant)
    entries[position].needsSettling = settles
  }

  /// Moves all positions of a section by a distance, because the length of its content changed before what is visible.
  ///
  /// Does nothing if the section has never moved.
  ///
  /// - Parameters:
  ///   - section: The section.
  ///   - points: The distance.
  ///   - range: The new range of valid offsets.
  ///   - instant: The time of the change.
  /// - Complexity: O(log s) for s sections that have moved.
  public mutating func shift(
    _ section: Int, by points: Double, in range: ScrollRange, at instant: FrameInstant
  ) {
    guard let position = index(of: section) else { return }
    entries[position].state.handle(.rangeChanged(range, offsetAdjustment: points), at: instant)
    entries[position].restOffset += points
  }

  /// Applies a scroll event to a section.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - section: The section.
  ///   - range: The range of valid offsets.
  ///   - tuning: The physical parameters. Default: `standard`.
  ///   - instant: The time of the event.
  ///   - resting: Returns the offset where the section comes to rest.
  public mutating func handle(
    _ event: ScrollEvent, in section: Int, range: ScrollRange, tuning: ScrollTuning = .standard,
    at instant: FrameInstant, resting: RestingOffset
  ) {
    let position = ensureEntry(of: section)
    if !entries[position].isActive { activeCount += 1 }
    entries[position].isActive = true
    entries[position].state.tuning = tuning
    if range != entries[position].state.range {
      entries[position].state.handle(.rangeChanged(range, offsetAdjustment: 0), at: instant)
    }
    if event == .hold {
      // A drag that interrupts a movement may go one page further than the movement's end.
      if entries[position].state.restInstant != nil {
        entries[position].restOffset = entries[position].state.projectedOffset
      }
    } else if !entries[position].state.isMoving(at: instant), !entries[position].needsSettling {
      entries[position].restOffset = entries[position].state.offset(at: instant)
    }
    entries[position].state.handle(event, at: instant)
    // A drag is released later. A wheel notch has an end from the start.
    entries[position].needsSettling = true
    settleSection(position, at: instant, resting)
  }

  /// Sends the released sections to their resting offsets.
  public mutating func advance(to instant: FrameInstant, resting: RestingOffset) {
    for position in entries.indices where entries[position].needsSettling {
      guard entries[position].state.phase(at: instant) != .tracking else { continue }
      // As of the release, independently of the frame rate.
      settleSection(position, at: min(instant, entries[position].state.releaseInstant ?? instant), resting)
    }
  }

  /// Returns the sections whose scroll phase changed since the last call, with both phases.
  ///
  /// A section that was released and moves to its resting offset is decelerating.
  ///
  /// - Complexity: O(s) for s sections that have moved.
  public mutating func takePhaseChanges(
    at instant: FrameInstant
  ) -> [(section: Int, last: ScrollPhase, next: ScrollPhase)] {
    var changes: [(section: Int, last: ScrollPhase, next: ScrollPhase)] = []
    for position in entries.indices where entries[position].isActive {
      let (last, next) = (entries[position].reportedPhase, entries[position].state.phase(at: instant))
      guard next != last else { continue }
      entries[position].reportedPhase = next
      changes.append((entries[position].section, last, next))
    }
    return changes
  }

  /// Updates the section indices after an update.
  ///
  /// Deleted sections are removed.
  public mutating func apply(_ map: IndexMap) {
    entries = entries.compactMap { entry in
      map.newIndex(ofSection: entry.section).map { section in
        var entry = entry
        entry.section = section
        return entry
      }
    }.sorted { $0.section < $1.section }
    activeCount = entries.count { $0.isActive }
  }

  // MARK: - Resting offsets

  private mutating func settleSection(_ position: Int, at instant: FrameInstant, _ resting: RestingOffset) {
    let state = entries[position].state
    guard state.phase(at: instant) != .tracking else { return }
    entries[position].needsSettling = false
    let proposed = state.projectedOffset
    // A wheel notch has a target before anything moves: its velocity is that of reaching the target in a quarter of a
    // second.
    let offset = state.offset(at: instant)
    let isAnimating = state.phase(at: instant) == .animating
    let velocity = isAnimating ? (proposed - offset) / 0.25 : state.velocity(at: instant)
    let target =
      isAnimating
      ? target(of: position, from: offset, toward: proposed, velocity, resting)
      : resting(entries[position].section, entries[position].restOffset, proposed, velocity)
    if (target - proposed).magnitude > 0.001 {
      entries[position].state.handle(.settle(at: target), at: instant)
    }
  }

  /// Returns the resting offset for a wheel notch or a key.
  ///
  /// If that is the current offset, because the groups are much longer than a notch, it is the first resting offset
  /// beyond.
  private func target(
    of position: Int, from offset: Double, toward proposed: Double, _ velocity: Double, _ resting: RestingOffset
  ) -> Double {
    let range = entries[position].state.range
    var (delta, proposed) = (proposed - offset, proposed)
    while true {
      let target = resting(entries[position].section, entries[position].restOffset, proposed, velocity)
      guard (target - offset) * delta <= 0, delta.magnitude > 0.5 else { return target }
      let next = range.clamp(offset + delta * 2)
      guard next != proposed else { return target }
      (delta, proposed) = (next - offset, next)
    }
  }

  // MARK: - Entries

  private func index(of section: Int) -> Int? {
    let position = insertionIndex(of: section)
    return position < entries.count && entries[position].section == section ? position : nil
  }

  private mutating func ensureEntry(of section: Int) -> Int {
    let position = insertionIndex(of: section)
    if position == entries.count || entries[position].section != section {
      entries.insert(Entry(section: section, state: ScrollState()), at: position)
    }
    return position
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
