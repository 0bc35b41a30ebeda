import CollectionUI
import Testing
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDiffableData
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineTestSupport
import VitrineViews

@Suite("The orthogonal scroll controller, without a view")
struct OrthogonalScrollControllerTests {
  private func makeHost() -> OrthogonalHostDouble { OrthogonalHostDouble(ItemCounts([20, 20, 20, 20])) }

  @Test("A wheel scrolls the section beneath it along its axis, and nothing else")
  func wheels() {
    let host = makeHost()
    #expect(host.wheel(at: 1, by: 1) && !host.wheel(at: 1, by: 0) && !host.wheel(at: 4, by: 1), "section 4 is none")
    host.runFrames(60)
    #expect(host.offset(of: 1) == 50, "a quarter of the width")
    #expect([0, 2, 3].allSatisfy { host.offset(of: $0) == 0 })
    #expect(host.solution.orthogonalSection(1)?.offset == 50 && host.scrolled == [1])
  }

  @Test("A drag moves the section in which it began, wherever the finger is, and releases the content")
  func drags() {
    let host = makeHost()
    #expect(!host.send(host.panEvent(.began, at: 2, by: Point(x: 5, y: 9))), "along the axis of the content")
    #expect(host.pan(.began, at: 2, by: -9) && host.controller.isDragging && host.releases == 1)
    #expect(host.pan(.moved, at: 0, by: -30) && host.pan(.moved, at: 7, by: -30))
    host.runFrames(1)
    #expect(host.offset(of: 2) == 60 && host.offset(of: 0) == 0)
    #expect(host.pan(.ended, at: 1, by: 0) && !host.controller.isDragging)
    #expect(!host.pan(.moved, at: 2, by: -30))
  }

  @Test("A drag whose section is deleted goes on without effect, and does not scroll the content instead")
  func deletedSection() {
    let host = makeHost()
    #expect(host.pan(.began, at: 2, by: -9))
    host.apply(OrthogonalHostDouble.deletingSection(2, of: 4))
    #expect(host.pan(.moved, at: 2, by: -30) && host.controller.isDragging)
    host.runFrames(1)
    #expect((0..<3).allSatisfy { host.offset(of: $0) == 0 })
    #expect(host.pan(.ended, at: 2, by: 0) && !host.controller.isDragging)
  }

  @Test("A held key scrolls the section beneath the pointer, or that of the focused item, until it is released")
  func keys() {
    let host = makeHost()
    #expect(!host.key(.right), "there is neither")
    host.focusedSection = 3
    host.pointerLocation = host.point(of: 1)
    #expect(host.key(.right) && !host.key(.down))
    host.pointerLocation = host.point(of: 2)
    #expect(host.key(.right, isRepeat: true))
    host.runFrames(60)
    #expect(host.offset(of: 1) > 50 && host.offset(of: 2) == 0)
    #expect(host.releaseKey(.right) && !host.releaseKey(.right))
    host.runFrames(60)
    let end = host.offset(of: 1)
    host.pointerLocation = nil
    #expect(host.key(.right))
    host.runFrames(20)
    #expect(host.offset(of: 1) == end && host.offset(of: 3) > 0)
  }

  @Test("The pressed pointer drags a section once it moved six points across, and its press then ends")
  func pointer() {
    let host = makeHost()
    let start = host.point(of: 1)
    #expect(!host.send(.pointerMoved(start - Point(x: 30, y: 0))), "nothing is pressed")
    host.sectionDragStart = start
    #expect(!host.send(.pointerMoved(start - Point(x: 5, y: 0))))
    #expect(!host.send(.pointerMoved(start - Point(x: 8, y: 9))), "along the axis of the content")
    #expect(host.cancelledPresses == 0)
    #expect(host.send(.pointerMoved(start - Point(x: 7, y: 0))) && host.cancelledPresses == 1)
    #expect(host.send(.pointerMoved(start - Point(x: 27, y: 90))))
    host.runFrames(1)
    #expect(host.offset(of: 1) == 20 && host.controller.isDragging)
    #expect(host.send(.pointerUp(start, button: .primary, modifiers: [])) && !host.controller.isDragging)
  }

  @Test("The scroll bar of a section disappears after it came to rest, and frames then call nothing")
  func rest() {
    let host = makeHost()
    #expect(host.controller.isIdle && !host.controller.needsFrames(at: host.lastInstant))
    _ = host.wheel(at: 1, by: 1)
    host.runFrames(1)
    #expect(!host.controller.isIdle && host.content.subviews.count == 1)
    for _ in 0..<600 where !host.controller.isIdle { host.runFrames(1) }
    #expect(host.controller.isIdle && host.content.subviews.isEmpty && host.controller.nextFrame == nil)
    host.scrolled = []
    host.runFrames(10)
    #expect(host.scrolled == [])
  }

  @Test("The delegate is notified of the beginning, of each movement and of the end, in this order")
  func notifications() {
    let host = makeHost()
    host.observesSections = true
    _ = host.pan(.began, at: 1, by: -9)
    host.runFrames(1)
    _ = host.pan(.moved, at: 1, by: -30)
    host.runFrames(2)
    _ = host.pan(.ended, at: 1, by: 0)
    host.runFrames(300)
    #expect(host.notices.first?.hasPrefix("1 ") == true && host.notices.contains("1 at 30.0"))
    #expect(host.notices.filter { $0 == "1 at 30.0" }.count == 1, "only frames that moved it")
    let scrolls = host.notices.indices.filter { host.notices[$0].hasPrefix("1 at") }
    #expect(scrolls.first ?? 0 > 0 && scrolls.last ?? 0 < host.notices.count - 1, "\(host.notices)")
  }

  @Test("Each section moves as if it were alone, whatever happens to others", arguments: TestScale.seeds(0..<12))
  func independence(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let together = makeHost()
    let alone = (0..<4).map { _ in makeHost() }
    for _ in 0..<60 {
      let section = Int.random(in: 0..<4, using: &random)
      let hosts = [together, alone[section]]
      if random.chance(oneIn: 2) {
        let notches = random.chance(oneIn: 2) ? 1.0 : -1
        for host in hosts { _ = host.wheel(at: section, by: notches) }
      } else {
        let moves = (0..<3).map { _ in
          (
            place: Int.random(in: 0..<8, using: &random),
            distance: Double.random(in: -80...80, using: &random).rounded()
          )
        }
        for host in hosts { _ = host.pan(.began, at: section, by: 9) }
        for move in moves {
          for host in hosts { _ = host.pan(.moved, at: move.place, by: move.distance) }
          for host in [together] + alone { host.runFrames(1) }
        }
        for host in hosts { _ = host.pan(.ended, at: section, by: 0) }
      }
      let frames = Int.random(in: 0..<12, using: &random)
      for host in [together] + alone { host.runFrames(frames) }
      for index in 0..<4 {
        #expect(together.offset(of: index) == alone[index].offset(of: index))
        #expect(
          together.solution.orthogonalSection(index)?.offset == alone[index].solution.orthogonalSection(index)?.offset)
      }
    }
  }
}

/// A double of the collection view with sections of 50 points height in a view of 200 points width, in which each item
/// is 10,000 points wide.
final class OrthogonalHostDouble: ControllerHostDouble, @MainActor OrthogonalScrollHost {
  let controller = OrthogonalScrollController()
  let scrollIndicator = ScrollIndicator()
  /// The superview of the scroll bars.
  let content = View()
  /// The sections that scrolled, in the order of their first movement.
  var scrolled: [Int] = []
  /// The notifications of the delegate.
  private(set) var notices: [String] = []
  private(set) var releases = 0
  private(set) var cancelledPresses = 0
  var pointerLocation: Point?
  var focusedSection: Int?
  var sectionDragStart: Point?
  var observesSections = false

  init(_ counts: ItemCounts) {
    super.init(count: 0)
    controller.host = self
    setCounts(counts)
  }

  private func setCounts(_ counts: ItemCounts) {
    let item = CollectionLayoutItem(
      layoutSize: CollectionLayoutSize(width: .absolute(10_000), height: .absolute(50)))
    var section = CollectionLayoutSection(
      group: .horizontal(
        layoutSize: CollectionLayoutSize(width: .absolute(10_000), height: .absolute(50)), subitems: [item]))
    section.orthogonalScrollingBehavior = .continuous
    solution = CompositionalLayout(section: section).solved(
      in: LayoutEnvironment(containerSize: Size(width: 200, height: 300)), for: counts)
    controller.applyAllOffsets(at: lastInstant)
  }

  /// Replaces the items by others, as an update does.
  func apply(_ map: IndexMap) {
    controller.apply(map)
    setCounts(map.counts)
  }

  /// The map of an update that deletes a section.
  static func deletingSection(_ section: Int, of count: Int) -> IndexMap {
    var before = DiffableDataSourceSnapshot<Int, Int>()
    before.appendSections(Array(0..<count))
    for section in 0..<count { before.appendItems((0..<20).map { section * 100 + $0 }, toSection: section) }
    var after = before
    after.deleteSections([section])
    return IndexMap(
      after.changeset(from: before), from: ItemCounts(before.itemCounts), to: ItemCounts(after.itemCounts))
  }

  // MARK: - Input

  /// A point of a section in the view, or a point beneath all sections.
  func point(of section: Int) -> Point {
    Point(x: 100, y: solution.orthogonalSection(section)?.frame.midY ?? 10_000)
  }

  @discardableResult
  func send(_ kind: InputEvent.Kind) -> Bool { controller.handle(InputEvent(time: lastInstant, kind: kind)) }

  /// Turns the wheel by notches to the right, or if there are none by one downward.
  func wheel(at section: Int, by notches: Double) -> Bool {
    send(.wheel(WheelInput(location: point(of: section), deltaX: notches, deltaY: notches == 0 ? -1 : 0)))
  }

  func pan(_ phase: TouchInput.Phase, at section: Int, by x: Double) -> Bool {
    send(panEvent(phase, at: section, by: Point(x: x, y: 0)))
  }

  func panEvent(_ phase: TouchInput.Phase, at section: Int, by translation: Point) -> InputEvent.Kind {
    .pan(PanInput(phase: phase, start: point(of: section), location: point(of: section), translation: translation))
  }

  @discardableResult
  func key(_ key: Key, isRepeat: Bool = false) -> Bool {
    let event = InputEvent.Kind.keyDown(key, modifiers: [], isRepeat: isRepeat)
    return controller.handleKey(InputEvent(time: lastInstant, kind: event))
  }

  func releaseKey(_ key: Key) -> Bool {
    controller.handleKey(InputEvent(time: lastInstant, kind: .keyUp(key, modifiers: [])))
  }

  func runFrames(_ count: Int) {
    for _ in 0..<count {
      lastInstant = lastInstant + .milliseconds(16)
      controller.update(at: lastInstant)
    }
  }

  // MARK: - State

  func jump(_ section: Int, to offset: Double) {
    guard let strip = solution.orthogonalSection(section) else { return }
    controller.apply(.jump(to: offset), to: strip, at: lastInstant)
  }

  func offset(of section: Int) -> Double { controller.motion(of: section)?.scroll.offset(at: lastInstant) ?? 0 }

  /// Returns the section that an action scrolls, or nil.
  func scrolledSection(_ action: () -> Void) -> Int? {
    let sections = 0..<solution.itemCounts.numberOfSections
    let before = sections.map { offset(of: $0) }
    action()
    return sections.first { offset(of: $0) != before[$0] }
  }

  // MARK: - OrthogonalScrollHost

  var scrollTuning: ScrollTuning { ScrollTuning() }
  var contentOrigin: Point { .zero }
  var reducesMotion: Bool { false }
  func convertFromWindow(_ point: Point) -> Point { point }
  func shownInstant(_ time: FrameInstant) -> FrameInstant { time }
  func cancelPress() { cancelledPresses += 1 }
  func releaseHeldContent(at time: FrameInstant) { releases += 1 }
  func sectionWillScroll(_ section: Int, by event: ScrollEvent) {}
  func setOrthogonalOffset(_ offset: Double, ofSection section: Int) {
    solution.setOrthogonalOffset(offset, ofSection: section)
  }
  func sectionDidScroll(_ section: Int) { if !scrolled.contains(section) { scrolled.append(section) } }
  func addSubview(_ view: View) { content.addSubview(view) }
  func notifyOfScroll(ofSection section: Int, to offset: Double) { notices.append("\(section) at \(offset)") }
  func notify(_ notice: ScrollNotice, ofSection section: Int) { notices.append("\(section) \(notice)") }
}
