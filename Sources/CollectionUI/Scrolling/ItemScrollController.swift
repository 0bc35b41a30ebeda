package import VitrineCollectionEngine
package import VitrineCollectionLayout
import VitrineFramePacing
package import VitrineGeometry
package import VitrineScrollPhysics
import VitrineViews

/// What ``ItemScrollController`` needs from the collection view.
package protocol ItemScrollHost: ControllerHost {
  /// The part of the view in which items are shown.
  var destinationViewport: ItemDestination.Viewport { get }
  /// The display scale of the window.
  var displayScale: DisplayScale { get }

  /// Scrolls the content to an offset.
  func scroll(to offset: Double, animated: Bool)
  /// Moves the target of the animated scroll of the content.
  ///
  /// - Parameters:
  ///   - offset: The new target.
  ///   - shown: The offset of the last frame.
  func retargetScroll(to offset: Double, shown: Double)
  /// Stops the content.
  func stopScrolling()
  /// Scrolls a section across.
  func scrollSection(_ section: OrthogonalSection, by event: ScrollEvent)
  /// Ends the movement of a section across.
  func stopSection(_ section: Int)
  /// Returns whether a section moves across.
  func isSectionMoving(_ section: Int) -> Bool
}

/// The owner of scrolls to items, of the content and of sections that scroll across.
///
/// The target of such a scroll is an item and an alignment (``ItemDestination``), not an offset. Whenever frames change,
/// the offset is computed again: the motion of an animated scroll continues to it, and content that arrived moves with
/// the item.
///
/// Invariants:
/// - A scroll to an item ends with the item at its position, to a pixel and within the scrollable range, whatever
///   is inserted, moved, resized or measured on the way. It is discarded by any other scroll of the same content.
/// - The content of an animated scroll does not move away from its target, unless the item itself moved to the other
///   side, or items after it are shorter than estimated, so that the content ends before it.
/// - Content at rest at one of its ends, which is not where the item was asked for, stays there in updates.
/// - Content at rest moves by the differences of its destination's offsets, never to an absolute offset.
/// - A frame without a scroll to an item costs a comparison.
package final class ItemScrollController {
  /// The collection view, which owns the controller and outlives it.
  @exclusivity(unchecked) package unowned(unsafe) var host: (any ItemScrollHost)!

  /// A destination that content moves to, or at which it is at rest.
  private struct Scroll {
    var destination: ItemDestination
    /// Whether the content is on its way.
    var isArriving: Bool
    /// The offset of the destination in the last layout.
    var offset: Double
    /// The offset of the last frame, in the coordinates of the current layout.
    var shown = 0.0
    /// Whether a frame displayed it.
    var isDisplayed = false
  }

  // Unchecked: nothing that changes them calls client code, so that they cannot be read while they are being modified.
  @exclusivity(unchecked) private var content: Scroll?
  /// The scrolls of sections across, of which there are few.
  @exclusivity(unchecked) private var sections: [(section: Int, scroll: Scroll)] = []
  /// Whether any scroll is on its way or not displayed yet, so that frames must check whether it is.
  @exclusivity(unchecked) private var needsChecks = false
  /// Whether items have their indices after an update whose layout is not solved yet.
  @exclusivity(unchecked) private var awaitsLayout = false

  /// Creates a controller without a scroll.
  package init() {}

  // MARK: - Scrolls

  /// Scrolls the content to an item.
  package func scroll(to destination: ItemDestination, animated: Bool) {
    let viewport = host.destinationViewport
    let offset = destination.offset(in: host.solution, viewport, from: host.contentOffset)
    let resolved = destination.resolved(in: host.solution, viewport, from: host.contentOffset)
    let shown = host.contentOffset
    // Discards the scroll before.
    host.scroll(to: offset, animated: animated)
    content = resolved.map { Scroll(destination: $0, isArriving: animated, offset: offset, shown: shown) }
    updateNeedsChecks()
  }

  /// Scrolls a section across to an item.
  package func scrollSection(_ strip: OrthogonalSection, to destination: ItemDestination, animated: Bool) {
    let offset = destination.offset(in: host.solution, across: strip, from: strip.offset)
    let resolved = destination.resolved(in: host.solution, across: strip)
    host.scrollSection(strip, by: .scrollTo(offset, animated: animated))
    guard let resolved else { return }
    let scroll = Scroll(destination: resolved, isArriving: animated, offset: offset, shown: strip.offset)
    sections.append((strip.section, scroll))
    updateNeedsChecks()
  }

  /// Discards the scroll of the content before another event moves it.
  package func contentWillScroll(by event: ScrollEvent) {
    guard content != nil, event.endsScrolls else { return }
    content = nil
    updateNeedsChecks()
  }

  /// Discards the scroll of a section across before another event moves it.
  package func sectionWillScroll(_ section: Int, by event: ScrollEvent) {
    guard !sections.isEmpty, event.endsScrolls else { return }
    sections.removeAll { $0.section == section }
    updateNeedsChecks()
  }

  /// Keeps the content where it is from now on, unless it is on its way, because the client states what stays in place.
  package func discardArrivedScroll() {
    if content?.isArriving == false { content = nil }
  }

  /// Keeps the content where it is from now on, before an update, if a key scrolled it there, or if it was displayed and
  /// an end of the content kept the item from its position: items appended there would move what is displayed.
  package func discardLimitedScroll() {
    guard let scroll = content, !scroll.isArriving else { return }
    if scroll.destination.isRevealed
      || scroll.isDisplayed && scroll.destination.isCutOff(in: host.solution, host.destinationViewport)
    {
      content = nil
    }
  }

  /// The item at which the content arrived, or nil.
  package var arrivedItem: Int? { content.flatMap { $0.isArriving ? nil : $0.destination.item } }

  private func updateNeedsChecks() {
    needsChecks =
      content.map { $0.isArriving || !$0.isDisplayed } ?? false || sections.contains { $0.scroll.isArriving }
  }

  // MARK: - Updates

  /// Updates the indices of items after an update.
  ///
  /// A scroll to a deleted item ends where it is, and a scroll of a section across to an item that left it ends near
  /// there.
  ///
  /// - Parameters:
  ///   - map: The index map of the update.
  ///   - keepsArrived: Whether content that arrived keeps its item in place, rather than other visible items.
  package func apply(_ map: IndexMap, keepsArrived: Bool) {
    awaitsLayout = true
    if let scroll = content {
      let index = map.newIndex(ofItem: scroll.destination.item)
      if let index, scroll.isArriving || keepsArrived {
        content?.destination.item = index
      } else {
        content = nil
        if scroll.isArriving, index == nil { host.stopScrolling() }
      }
    }
    guard !sections.isEmpty else { return updateNeedsChecks() }
    sections = sections.compactMap { entry in
      guard let section = map.newIndex(ofSection: entry.section) else { return nil }
      guard let index = map.newIndex(ofItem: entry.scroll.destination.item),
        map.counts.items(inSection: section).contains(index)
      else {
        if entry.scroll.isArriving { host.stopSection(section) }
        return nil
      }
      var scroll = entry.scroll
      scroll.destination.item = index
      return (section, scroll)
    }
    updateNeedsChecks()
  }

  /// Discards all scrolls, because all items were replaced.
  package func removeAll() {
    content = nil
    sections = []
    needsChecks = false
  }

  // MARK: - Layout

  /// Returns the distance by which content at rest moves so that its item stays in place in a new layout, or nil if the
  /// content did not scroll to an item.
  package func takeArrivedDistance() -> Double? {
    guard let scroll = content, !scroll.isArriving else { return nil }
    let offset = scroll.destination.offset(in: host.solution, host.destinationViewport)
    content?.offset = offset
    return host.displayScale.snapped(offset) - host.displayScale.snapped(scroll.offset)
  }

  /// Records that all positions of the content moved by a distance.
  package func shiftContent(by distance: Double) {
    if content != nil { content?.shown += distance }
  }

  /// Records that all positions of a section that scrolls across moved by a distance.
  package func shiftSection(_ section: Int, by distance: Double) {
    for index in sections.indices where sections[index].section == section {
      sections[index].scroll.shown += distance
      sections[index].scroll.offset += distance
    }
  }

  /// Moves the targets of scrolls after the insets changed, unless the layout of an update follows.
  package func insetsDidChange() {
    if !awaitsLayout { framesDidChange() }
  }

  /// Moves the targets of scrolls after frames changed.
  package func framesDidChange() {
    awaitsLayout = false
    if let scroll = content {
      let offset = scroll.destination.offset(in: host.solution, host.destinationViewport)
      content?.offset = offset
      if scroll.isArriving { host.retargetScroll(to: offset, shown: scroll.shown) }
    }
    guard !sections.isEmpty else { return }
    for index in sections.indices { retargetSection(index) }
    sections.removeAll { host.solution.orthogonalSection($0.section) == nil }
  }

  private func retargetSection(_ index: Int) {
    let (section, scroll) = sections[index]
    guard let strip = host.solution.orthogonalSection(section) else { return }
    let offset = scroll.destination.offset(in: host.solution, across: strip)
    sections[index].scroll.offset = offset
    if scroll.isArriving {
      host.scrollSection(strip, by: .retarget(to: offset, shown: scroll.shown))
    } else if offset != scroll.offset {
      host.scrollSection(strip, by: .offsetAdjusted(by: offset - scroll.offset))
    }
  }

  // MARK: - Frames

  /// Records the offsets of the frame, which will be displayed.
  package func recordOffsets() {
    guard needsChecks else { return }
    content?.shown = host.contentOffset
    content?.isDisplayed = true
    for index in sections.indices {
      guard let strip = host.solution.orthogonalSection(sections[index].section) else { continue }
      sections[index].scroll.shown = strip.offset
    }
    updateNeedsChecks()
  }

  /// Ends the scrolls that arrived, after the frame's motion.
  package func update() {
    guard needsChecks else { return }
    if content?.isArriving == true, !host.scroll.isMoving(at: host.lastInstant) { content?.isArriving = false }
    for index in sections.indices where !host.isSectionMoving(sections[index].section) {
      sections[index].scroll.isArriving = false
    }
    updateNeedsChecks()
  }
}

extension ScrollEvent {
  /// Whether the event ends a scroll to an item: it comes from the user or the client, not from the layout.
  fileprivate var endsScrolls: Bool {
    switch self {
    case .rangeChanged, .offsetAdjusted, .retarget: false
    default: true
    }
  }
}
