internal import VitrineDataStructures
internal import VitrineGeometry

/// The rules of a section whose items a client's layout places.
struct ClientContent<Layout: SectionLayout>: SectionContent {
  let layout: Layout
  /// The extent of the items across the flow axis, or nil for that of the container.
  let breadth: CollectionLayoutDimension?

  /// - Complexity: That of preparing the client's layout.
  func body(of itemCount: Int, in container: SectionContainer) -> any SectionBody {
    ClientBody(self, of: max(0, itemCount), in: container)
  }

  /// Returns the space for the items in a container.
  func environment(in container: SectionContainer) -> SectionLayoutEnvironment {
    let (flow, scale) = (container.flow, container.scale.pixelsPerPoint)
    var size = container.size
    if let breadth {
      size[flow.cross] = min(size[flow.cross], Double(container.pixels(breadth.length(in: container.size))) / scale)
    }
    return SectionLayoutEnvironment(
      containerSize: size, flowAxis: flow, interGroupSpacing: container.interGroupSpacing, scale: container.scale)
  }
}

/// The items of a section that a client's layout places, with checked and bounded answers.
///
/// The preferred sizes of cells are stored here, so that they stay with their items when the client's layout is prepared
/// again.
struct ClientBody<Layout: SectionLayout>: SectionBody {
  private var layout: Layout
  private(set) var itemCount: Int
  private(set) var environment: SectionLayoutEnvironment
  private var content: ClientContent<Layout>
  private var container: SectionContainer
  private(set) var length = 0
  private(set) var breadth = 0
  /// The sizes that cells prefer, or nil if they do not affect the layout.
  private var sizes: MeasuredSizes?
  /// The number of updates, since the last of which changes of preferred sizes are counted.
  private var epoch: UInt32 = 0
  private(set) var violations = ViolationLog()

  /// Creates a body and prepares a copy of the client's layout.
  init(_ content: ClientContent<Layout>, of itemCount: Int, in container: SectionContainer) {
    self.content = content
    self.itemCount = itemCount
    self.container = container
    environment = content.environment(in: container)
    layout = content.layout
    prepare()
  }

  private var flow: Axis { container.flow }
  private var scale: Double { container.scale.pixelsPerPoint }

  /// Prepares the client's layout from its rules and passes the stored sizes to it.
  private mutating func prepare() {
    layout = content.layout
    layout.prepare(itemCount: itemCount, in: environment)
    if layout.usesPreferredSizes {
      let stored = sizes ?? MeasuredSizes(of: itemCount)
      stored.forEach { item, size in _ = layout.setPreferredSize(points(size), ofItem: item) }
      sizes = stored
    } else {
      sizes = nil
    }
    measureContent()
  }

  /// Reads the lengths of the content after a change.
  private mutating func measureContent() {
    breadth = max(1, container.pixels(environment.breadth))
    let points = layout.contentLength
    let pixels = (points * scale).rounded()
    let isValid = pixels >= 0 && pixels <= Double(ClientLimits.length)
    if !isValid { violations.record(.contentLength, item: 0) }
    // NaN counts as 0.
    length = itemCount == 0 ? 0 : max(1, pixels > 0 ? Int(min(pixels, Double(ClientLimits.length))) : 0)
  }

  private func points(_ size: MeasuredSize) -> Size {
    Size(width: Double(size.width) / scale, height: Double(size.height) / scale)
  }

  // MARK: - Violations

  var hasScatteredItems: Bool { true }
  var hasSupplementaries: Bool { false }

  mutating func attach(_ log: ViolationLog) {
    log.merge(violations)
    violations = log
  }

  // MARK: - Frames

  /// Returns the frame of an item, clipped to the section.
  func frame(ofItem item: Int) -> PixelFrame { checked(layout.frame(ofItem: item), of: item) }

  private func checked(_ rect: Rect, of item: Int) -> PixelFrame {
    let (x, y, width, height) = (rect.minX, rect.minY, rect.width, rect.height)
    guard x.isFinite, y.isFinite, width.isFinite, height.isFinite, width >= 0, height >= 0 else {
      violations.record(.frame, item: item)
      return bounded(minX: x.isFinite ? x : 0, minY: y.isFinite ? y : 0, maxX: 0, maxY: 0, of: item, reports: false)
    }
    return bounded(minX: x, minY: y, maxX: x + width, maxY: y + height, of: item, reports: true)
  }

  /// Returns the frame with edges at pixels within the section, at least one pixel long and broad.
  private func bounded(
    minX: Double, minY: Double, maxX: Double, maxY: Double, of item: Int, reports: Bool
  ) -> PixelFrame {
    let (width, height) = flow == .vertical ? (breadth, length) : (length, breadth)
    let (left, right) = (pixel(minX), pixel(maxX))
    let (top, bottom) = (pixel(minY), pixel(maxY))
    // An edge may be rounded away from the edge of the section. In a window without a size no answer is valid.
    if reports, container.pixelLength(flow.cross) > 0, left < -1 || top < -1 || right > width + 1 || bottom > height + 1
    {
      violations.record(.bounds, item: item)
    }
    let x = max(0, min(left, width - 1))
    let y = max(0, min(top, height - 1))
    return PixelFrame(
      minX: x, minY: y, maxX: max(x + 1, min(right, width)), maxY: max(y + 1, min(bottom, height)))
  }

  private func pixel(_ edge: Double) -> Int {
    let limit = Double(2 * ClientLimits.length)
    return PixelEdge.nearest(max(-limit, min(edge * scale, limit)))
  }

  // MARK: - Items in a rectangle

  /// The visible length along the flow axis in pixels, or an estimate if it is not known.
  private var screen: Int { max(256, container.pixelLength(flow)) }

  /// Returns the items that share a pixel with a rectangle, in ascending order.
  ///
  /// - Complexity: That of the client's query, plus O(v log v) for v returned items.
  private func items(in rect: PixelFrame) -> [Int] {
    guard let rect = clipped(rect) else { return [] }
    // Pixels of a frame that its points do not cover are within a pixel of it.
    let grown = rect.grown(by: 1)
    let query = Rect(
      x: Double(grown.minX) / scale, y: Double(grown.minY) / scale, width: Double(grown.width) / scale,
      height: Double(grown.height) / scale)
    let limit = min(itemCount, ClientLimits.itemsPerScreen * (1 + rect.length(flow) / screen))
    var found: [Int] = []
    var (count, isAscending) = (0, true)
    for item in layout.items(in: query) {
      count += 1
      guard count <= limit else {
        violations.record(.count, item: item)
        break
      }
      guard (0..<itemCount).contains(item) else {
        violations.record(.existence, item: item)
        continue
      }
      guard frame(ofItem: item).intersects(rect) else { continue }
      if let last = found.last, last >= item { isAscending = false }
      found.append(item)
    }
    if !isAscending { sortUniquely(&found) }
    if let first = found.first, frame(ofItem: first) != frame(ofItem: first) {
      violations.record(.stability, item: first)
    }
    return found
  }

  private func sortUniquely(_ items: inout [Int]) {
    items.sort()
    var count = 1
    for index in items.indices.dropFirst() {
      guard items[index] != items[count - 1] else {
        violations.record(.uniqueness, item: items[index])
        continue
      }
      items[count] = items[index]
      count += 1
    }
    items.removeSubrange(count...)
  }

  /// Returns the part of a rectangle within the section, or nil if there is none.
  private func clipped(_ rect: PixelFrame) -> PixelFrame? {
    let (width, height) = flow == .vertical ? (breadth, length) : (length, breadth)
    let part = PixelFrame(
      minX: max(0, rect.minX), minY: max(0, rect.minY), maxX: min(width, rect.maxX), maxY: min(height, rect.maxY))
    return itemCount == 0 || part.isEmpty ? nil : part
  }

  /// Calls a closure with the runs of items that share a pixel with a rectangle, in ascending order.
  func visitRuns(in rect: PixelFrame, _ visit: (Range<Int>) -> Void) {
    var run = 0..<0
    for item in items(in: rect) {
      if item == run.upperBound, !run.isEmpty {
        run = run.lowerBound..<(item + 1)
      } else {
        if !run.isEmpty { visit(run) }
        run = item..<(item + 1)
      }
    }
    if !run.isEmpty { visit(run) }
  }

  /// Returns the smallest index of an item that shares a pixel with a rectangle, or nil if there is none.
  ///
  /// In a rectangle that is longer than four screens, only the items nearest to its start are compared.
  func firstItem(in rect: PixelFrame) -> Int? {
    guard let rect = clipped(rect) else { return nil }
    var (start, step) = (rect.start(flow), 4 * screen)
    while start < rect.end(flow) {
      let end = min(rect.end(flow), start + step)
      if let item = items(in: part(of: rect, from: start, to: end)).first { return item }
      (start, step) = (end, 2 * step)
    }
    return nil
  }

  /// Returns the largest index of an item that shares a pixel with a rectangle, or nil if there is none.
  ///
  /// In a rectangle that is longer than four screens, only the items nearest to its end are compared.
  func lastItem(in rect: PixelFrame) -> Int? {
    guard let rect = clipped(rect) else { return nil }
    var (end, step) = (rect.end(flow), 4 * screen)
    while end > rect.start(flow) {
      let start = max(rect.start(flow), end - step)
      if let item = items(in: part(of: rect, from: start, to: end)).last { return item }
      (end, step) = (start, 2 * step)
    }
    return nil
  }

  private func part(of rect: PixelFrame, from start: Int, to end: Int) -> PixelFrame {
    flow == .vertical
      ? PixelFrame(minX: rect.minX, minY: start, maxX: rect.maxX, maxY: end)
      : PixelFrame(minX: start, minY: rect.minY, maxX: end, maxY: rect.maxY)
  }

  /// Returns the starts of the items before and after a line, because a client's layout has no groups.
  func groupStarts(around line: Int) -> (atOrBefore: Int, after: Int?)? {
    guard itemCount > 0 else { return nil }
    let line = max(0, min(line, length - 1))
    let all = flow == .vertical ? (breadth, length) : (length, breadth)
    let whole = PixelFrame(minX: 0, minY: 0, maxX: all.0, maxY: all.1)
    func starts(from start: Int, to end: Int) -> [Int] {
      items(in: part(of: whole, from: start, to: end)).map { frame(ofItem: $0).start(flow) }
    }
    var (before, start, step): (Int?, Int, Int) = (nil, line + 1, screen)
    while before == nil, start > 0 {
      let end = start
      start = max(0, end - step)
      before = starts(from: start, to: end).filter { $0 <= line }.max()
      step *= 2
    }
    var (after, end): (Int?, Int) = (nil, line + 1)
    step = screen
    while after == nil, end < length {
      let start = end
      end = min(length, start + step)
      after = starts(from: start, to: end).filter { $0 > line }.min()
      step *= 2
    }
    return (before ?? 0, after)
  }

  func item(from item: Int, _ heading: FocusHeading) -> Int? {
    guard let target = layout.item(from: item, heading) else { return nil }
    guard (0..<itemCount).contains(target) else {
      violations.record(.focus, item: target)
      return nil
    }
    return target
  }

  // MARK: - Scrolling and transitions

  func targetContentOffset(_ proposed: Double, velocity: Double) -> Double {
    let target = layout.targetContentOffset(forProposedContentOffset: proposed, withScrollingVelocity: velocity)
    guard target.isFinite else {
      violations.record(.targetContentOffset, item: 0)
      return proposed
    }
    return target
  }

  func transitionAttributes(ofItem item: Int, isAppearing: Bool) -> TransitionAttributes? {
    let attributes =
      isAppearing
      ? layout.initialLayoutAttributesForAppearingItem(at: item)
      : layout.finalLayoutAttributesForDisappearingItem(at: item)
    guard let attributes, !attributes.isValid else { return attributes }
    violations.record(.transition, item: item)
    return nil
  }

  // MARK: - Preferred sizes

  func usesPreferredSize(ofItem item: Int) -> Bool { sizes.map { !$0.isFrozen(item: item) } ?? false }

  mutating func setPreferredSize(width: Int, height: Int, ofItem item: Int, burst: UInt32) -> PreferredSizeResult {
    let size = MeasuredSize(width: width, height: height)
    switch sizes?.record(size, ofItem: item, burst: epoch &+ burst) {
    case nil, .unchanged: return .unchanged
    case .recorded: return apply(size, ofItem: item) ? .changed : .unchanged
    case .frozen(let size):
      _ = apply(size, ofItem: item)
      return .frozen(Double(size.side(flow)) / scale)
    }
  }

  mutating func unfreezeSize(ofItem item: Int) { sizes?.unfreeze(item: item) }

  private mutating func apply(_ size: MeasuredSize, ofItem item: Int) -> Bool {
    guard layout.setPreferredSize(points(size), ofItem: item) else { return false }
    measureContent()
    return true
  }

  // MARK: - Updates

  mutating func update(_ edits: SectionEdits, content: any SectionContent, container: SectionContainer) -> Bool {
    guard container == self.container, let content = content as? ClientContent<Layout>,
      content.breadth == self.content.breadth
    else { return false }
    self.content = content
    itemCount = max(0, itemCount + edits.countDelta)
    epoch &+= 1
    sizes?.splice(edits)
    if layout.update(edits, adopting: content.layout) { measureContent() } else { prepare() }
    return true
  }

  mutating func resize(to container: SectionContainer, content: any SectionContent) -> Bool {
    guard container.flow == flow, container.scale == self.container.scale,
      let content = content as? ClientContent<Layout>, content.breadth == self.content.breadth
    else { return false }
    let environment = content.environment(in: container)
    guard layout.resize(to: environment, adopting: content.layout) else { return false }
    (self.content, self.container, self.environment) = (content, container, environment)
    epoch &+= 1
    measureContent()
    return true
  }

  /// Returns the number of items, which a layout processes if it is prepared again.
  func cost(of edits: SectionEdits) -> Int { itemCount + max(0, edits.countDelta) }
}
