import CollectionUI
import struct FoundationEssentials.IndexPath
import VitrineCollectionEngine
import VitrineCollectionLayout
import VitrineDataStructures
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineScrollPhysics
import VitrineViews

/// Flings through items of unknown height while items are inserted, deleted and resized, in which nothing but the scroll
/// moves what the user looks at.
///
/// After each frame, the first item that was displayed before and still is must have moved by exactly the distance of the
/// scroll, and by each update not at all. The distance is that of a second scroll state, which receives the same events
/// and knows no content. Equal seeds produce equal runs, on a virtual clock.
@MainActor
public final class AnchorStress {
  /// What a run did, and how far items jumped.
  public struct Tally: Hashable, Sendable, CustomStringConvertible {
    /// The number of frames.
    public var frames = 0
    /// The number of flings and other scrolls.
    public var scrolls = 0
    /// The number of updates that inserted or deleted items.
    public var updates = 0
    /// The number of displayed items whose size changed.
    public var resizes = 0
    /// The number of cells that were measured.
    public var measurements = 0
    /// The number of frames and updates in which an item was checked.
    public var checks = 0
    /// The number of checks in which an item moved by anything but the scroll.
    public var jumps = 0
    /// The longest distance of a jump, in points.
    public var longestJump = 0.0
    /// A description of the first jump.
    public var firstJump: String?

    /// The tally in one line.
    public var description: String {
      """
      \(frames) frames, \(scrolls) scrolls, \(updates) updates, \(resizes) resizes, \(measurements) measurements, \
      \(checks) checks: \(jumps) jumps, longest \(longestJump) points\(firstJump.map { ", first \($0)" } ?? "")
      """
    }
  }

  /// The tally of all frames.
  public private(set) var tally = Tally()
  /// The number of items.
  public var itemCount: Int { items.sections.reduce(0) { $0 + $1.count } }

  private let view: CollectionView
  private let loop: CommitLoop
  private let items: Items
  private var random: SplitMix64
  /// The scroll without content.
  private var scroll = ScrollState()
  /// The items that were displayed in the last frame, from top to bottom.
  private var displayed: [DisplayedItem] = []

  /// An item with its top edge in the view and its height, in points.
  private struct DisplayedItem {
    var item: Int32
    var top: Double
    var height: Double
  }

  private static let size = Size(width: 400, height: 600)
  private static let sectionLength = 8_192
  private static let range = ScrollRange(minimum: -1e13, maximum: 1e13, viewportLength: size.height)

  /// Creates a view of items.
  ///
  /// - Parameters:
  ///   - count: The number of items.
  ///   - seed: The seed of sizes, flings and updates.
  public init(count: Int, seed: UInt64) {
    random = SplitMix64(seed: seed)
    items = Items(count: count, inSectionsOf: AnchorStress.sectionLength)
    let row = CollectionLayoutSize(width: .fractionalWidth(1), height: .estimated(50))
    let section = CollectionLayoutSection(
      group: .vertical(layoutSize: row, subitems: [CollectionLayoutItem(layoutSize: row)]))
    view = CollectionView(layout: CompositionalLayout(section: section))
    let clock = SimulatedClock(kind: .virtual)
    let display = NullDisplay(size: AnchorStress.size)
    let window = Window(rootView: view, resources: RenderResources(display: display, text: BlockTextRasterizer()))
    loop = CommitLoop(
      window: window, display: display, events: ScriptedEventSource(now: { clock.now() }), clock: clock,
      pacing: LoopPacing(kind: .virtual, interval: .milliseconds(16), isMeasured: false, reason: "a stress test"))
    window.addParticipant(view)
    window.resize(to: AnchorStress.size)
    view.dataSource = items
    runFrame()
    returnToMiddle()
  }

  /// Runs a number of frames.
  public func run(frames: Int) {
    for _ in 0..<frames {
      scrollIfAtRest()
      if random.isOne(in: 12) { update() }
      if random.isOne(in: 9) { resize() }
      let before = scroll.offset(at: view.lastInstant)
      runFrame()
      let after = scroll.offset(at: view.lastInstant)
      checkFrame(after.rounded() - before.rounded(), isExact: isExact(before) && isExact(after))
    }
    tally.measurements = items.measurements
  }

  private func runFrame() {
    _ = loop.run(LoopLimits(frames: 1))
    tally.frames += 1
  }

  // MARK: - Events

  /// Begins a fling, a constant motion or a stop, away from the ends of the content.
  private func scrollIfAtRest() {
    let (offset, range) = (view.contentOffset, view.scroll.range)
    let share = (offset - range.minimum) / max(1, range.length)
    guard offset > range.minimum + 5_000, offset < range.maximum - 5_000 else { return returnToMiddle() }
    guard !view.scroll.isMoving(at: view.lastInstant) || random.isOne(in: 80) else { return }
    let isForward = share < 0.2 || (share < 0.8 && random.isOne(in: 2))
    let magnitude = [300.0, 1_500, 6_000, 30_000][Int.random(in: 0..<4, using: &random)]
    let velocity = (isForward ? 1 : -1) * Double.random(in: 0.3...1, using: &random) * magnitude
    switch Int.random(in: 0..<6, using: &random) {
    case 0: handle(.steady(velocity: velocity / 8))
    case 1: handle(.stop)
    case 2: handle(.advance(by: velocity / 10))
    default: handle(.flick(velocity: velocity, accumulating: random.isOne(in: 2)))
    }
  }

  private func handle(_ event: ScrollEvent) {
    view.applyScrollEvent(event, at: view.lastInstant)
    scroll.handle(event, at: view.lastInstant)
    tally.scrolls += 1
  }

  private func returnToMiddle() {
    view.scroll(to: (view.scroll.range.length / 2).rounded(), animated: false)
    scroll = ScrollState(range: AnchorStress.range, offset: 0)
    runFrame()
    displayed = positions()
  }

  /// Inserts or deletes items at the start, before the displayed items, among them or behind them.
  private func update() {
    guard let first = view.visibleCells.first.flatMap({ view.indexPath(for: $0) }) else { return }
    let section: Int
    var item: Int
    switch Int.random(in: 0..<4, using: &random) {
    case 0: (section, item) = (0, 0)
    case 1: (section, item) = (first.section, Int.random(in: 0...first.item, using: &random))
    case 2: (section, item) = (first.section, first.item + Int.random(in: 0...12, using: &random))
    default: (section, item) = (Int.random(in: 0..<items.sections.count, using: &random), 0)
    }
    let count = items.sections[section].count
    item = min(item, count)
    // Sections keep about the same length.
    let inserts = count < 2 * AnchorStress.sectionLength && (count < 64 || random.isOne(in: 2))
    let length =
      inserts ? Int.random(in: 1...20, using: &random) : min(count - item, Int.random(in: 1...20, using: &random))
    let paths = (item..<item + length).map { IndexPath(item: $0, section: section) }
    view.performBatchUpdates(animated: false) { [items, view] in
      if inserts {
        items.insert(length, at: item, section)
        view.insertItems(at: paths)
      } else {
        items.sections[section].removeSubrange(item..<item + length)
        view.deleteItems(at: paths)
      }
    }
    tally.updates += 1
    checkUpdate()
  }

  /// Resizes a displayed item.
  private func resize() {
    let cells = view.visibleCells
    guard let cell = cells.randomElement(using: &random) as? Cell else { return }
    items.resize(cell.item, to: Int.random(in: 8...260, using: &random))
    cell.invalidateIntrinsicContentSize()
    tally.resizes += 1
  }

  // MARK: - Checks

  /// Returns the displayed items at their positions in the layout.
  private func positions() -> [DisplayedItem] {
    let offset = view.contentOffset
    return view.visibleCells.compactMap { cell in
      guard let cell = cell as? Cell, let path = view.indexPath(for: cell),
        let frame = view.layoutAttributesForItem(at: path)?.frame
      else { return nil }
      return DisplayedItem(item: cell.item, top: frame.minY - offset, height: frame.height)
    }
  }

  /// Checks that the first displayed item that remains is where it was.
  private func checkUpdate() {
    let now = positions()
    defer { displayed = now }
    for item in now {
      guard let before = displayed.first(where: { $0.item == item.item }) else { continue }
      return record(item.top - before.top, of: item.item, "by an update")
    }
  }

  /// Checks that the first item that is displayed in both frames moved by the distance of the scroll.
  ///
  /// An item that was resized is not checked, because it grows to either side, nor one that only a resized item brings
  /// back into the view.
  ///
  /// - Parameters:
  ///   - distance: The distance.
  ///   - isExact: Whether the distance in whole pixels is certain.
  private func checkFrame(_ distance: Double, isExact: Bool) {
    let now = positions()
    defer { displayed = now }
    guard isExact else { return }
    for item in now {
      guard let before = displayed.first(where: { $0.item == item.item }), item.height == before.height,
        before.top - distance < AnchorStress.size.height, before.top - distance + before.height > 0
      else { continue }
      return record(item.top - before.top + distance, of: item.item, "in a frame")
    }
  }

  private func record(_ jump: Double, of item: Int32, _ occasion: String) {
    tally.checks += 1
    guard jump != 0 else { return }
    tally.jumps += 1
    tally.longestJump = max(tally.longestJump, jump.magnitude)
    if tally.firstJump == nil { tally.firstJump = "item \(item) by \(jump) \(occasion), frame \(tally.frames)" }
  }

  /// Returns whether rounding errors do not decide to which pixel an offset is rounded.
  private func isExact(_ offset: Double) -> Bool { ((offset - offset.rounded(.down)) - 0.5).magnitude > 1e-3 }
}

// MARK: - Items

/// Items of unknown height, in sections.
@MainActor
private final class Items: CollectionViewDataSource {
  /// The items of each section.
  var sections: [[Int32]]
  /// The number of measured cells.
  private(set) var measurements = 0
  private var next: Int32
  private var heights: [Int32: Int] = [:]
  private lazy var registration = CellRegistration<Cell, Int32> { [unowned self] cell, _, item in
    cell.item = item
    cell.preferredHeight = { [unowned self] in height(of: $0) }
  }

  /// The number of sizes that are kept; items whose size is discarded have another size when they are displayed again.
  private static let maximumResizes = 50_000

  init(count: Int, inSectionsOf length: Int) {
    next = Int32(count)
    sections = stride(from: 0, to: count, by: length).map { Array(Int32($0)..<Int32(min(count, $0 + length))) }
    // Made before cells are requested.
    _ = registration
  }

  func insert(_ count: Int, at item: Int, _ section: Int) {
    sections[section].insert(contentsOf: next..<next + Int32(count), at: item)
    next = next > Int32.max - 1_000 ? 0 : next + Int32(count)
  }

  func resize(_ item: Int32, to height: Int) {
    if heights.count >= Items.maximumResizes { heights.removeAll(keepingCapacity: true) }
    heights[item] = height
  }

  private func height(of item: Int32) -> Double {
    measurements += 1
    if let height = heights[item] { return Double(height) }
    var mixer = SplitMix64(seed: UInt64(bitPattern: Int64(item)))
    return Double(12 + mixer.next() % 180)
  }

  func numberOfSections(in view: CollectionView) -> Int { sections.count }

  func collectionView(_ view: CollectionView, numberOfItemsInSection section: Int) -> Int { sections[section].count }

  func collectionView(_ view: CollectionView, cellForItemAt indexPath: IndexPath) -> CollectionViewCell {
    view.dequeueConfiguredReusableCell(
      using: registration, for: indexPath, item: sections[indexPath.section][indexPath.item])
  }
}

/// A cell that is as high as its item says.
private final class Cell: CollectionViewCell {
  var item: Int32 = -1
  var preferredHeight: ((Int32) -> Double)?

  override func preferredLayoutAttributesFitting(_ attributes: LayoutAttributes) -> LayoutAttributes {
    var attributes = attributes
    if let preferredHeight { attributes.frame.size.height = preferredHeight(item) }
    return attributes
  }
}

extension SplitMix64 {
  /// Returns true with a probability of one in `count`.
  fileprivate mutating func isOne(in count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
