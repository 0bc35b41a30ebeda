internal import VitrineGeometry

/// A builder that determines the boxes of a group: how often subitems are repeated, and what each contains.
///
/// The boxes depend only on estimates: the number of slots of a group does not change when cells are measured.
struct GroupBuilder {
  /// The maximum number of boxes to create, including those that turn out not to fit.
  private static let maximumBoxCount = 8 * CollectionLayoutGroup.maximumSlotCount

  private let container: SectionContainer
  private var slotCount = 0
  private var boxCount = 0

  private var isFull: Bool {
    slotCount >= CollectionLayoutGroup.maximumSlotCount || boxCount >= GroupBuilder.maximumBoxCount
  }

  private init(_ container: SectionContainer) { self.container = container }

  /// Returns the outermost box of the group that a section repeats, which contains all others.
  ///
  /// - Complexity: O(b) for b boxes, at most ``maximumBoxCount``.
  static func rootBox(of group: CollectionLayoutGroup, in container: SectionContainer) -> GroupBox {
    var builder = GroupBuilder(container)
    let longest = Double(SectionContainer.maximumLength)
    var limit = Size(width: longest, height: longest)
    let whole = Size(
      width: Double(container.pixelLength(.horizontal)), height: Double(container.pixelLength(.vertical)))
    let across = container.flow.cross
    if !container.isCrossAxisUnbounded {
      limit[across] = max(1, whole[across] - BoxMargins(group.edgeSpacing, in: container)[across].sum)
    }
    return builder.box(group, in: whole, limit: limit)
  }

  private func pixels(_ dimension: CollectionLayoutDimension, in size: Size) -> Double {
    GroupBox.pixels(dimension, in: size, scale: container.scale.pixelsPerPoint)
  }

  /// Returns the box of a subitem.
  ///
  /// - Parameters:
  ///   - subitem: The subitem.
  ///   - size: The size to which fractional dimensions refer.
  ///   - limit: The maximum size.
  ///   - equal: The axis along which the box has the same length as its siblings, and that length.
  private mutating func box(
    _ subitem: any CollectionLayoutSubitem, in size: Size, limit: Size, equal: (axis: Axis, length: Double)? = nil
  ) -> GroupBox {
    subitem.contentInsets.checkValid(of: "a layout subitem")
    boxCount += 1
    var estimate = Size.zero
    for axis in [Axis.horizontal, .vertical] {
      let length = equal?.axis == axis ? equal?.length : nil
      estimate[axis] = max(1, min(length ?? pixels(subitem.layoutSize[axis], in: size), limit[axis]))
    }
    var box = GroupBox(
      dimensions: subitem.layoutSize, equalAxis: equal?.axis, estimate: estimate, need: estimate,
      margins: BoxMargins(subitem.edgeSpacing, in: container),
      insets: BoxMargins(subitem.contentInsets, ignoring: subitem.layoutSize, in: container),
      supplementaryItems: subitem.supplementaryItems, slots: slotCount..<slotCount, content: .item)
    let first = slotCount
    if let group = subitem as? CollectionLayoutGroup {
      box.content = content(of: group, in: box)
    } else {
      slotCount += 1
    }
    box.slots = first..<slotCount
    box.findOwnNeed { _ in (nil, nil) }
    return box
  }

  private mutating func content(of group: CollectionLayoutGroup, in box: GroupBox) -> GroupBox.Content {
    var inner = Size.zero
    var limit = Size.zero
    for axis in [Axis.horizontal, .vertical] {
      inner[axis] = box.estimate[axis] - box.insets[axis].cut(to: box.estimate[axis]).sum
      limit[axis] = box.isSelfSizing(axis) ? Double(SectionContainer.maximumLength) : inner[axis]
    }
    let gap = Double(container.pixels(group.interItemSpacing?.points ?? 0))
    let gapIsFlexible = group.interItemSpacing?.isFlexible ?? false
    switch group.arrangement {
    case .custom(let provider):
      return .placed(placed(by: provider, in: inner))
    case .list(let axis, let subitems):
      let line = GroupLine(axis: axis, gap: gap, gapIsFlexible: gapIsFlexible, boxes: [])
      return .line(filled(line, with: subitems, inner: inner, limit: limit, isOpen: box.isSelfSizing(axis)))
    case .repeating(let axis, let subitem, let count):
      let line = GroupLine(axis: axis, gap: gap, gapIsFlexible: gapIsFlexible, boxes: [])
      return .line(
        repeated(line, subitem, count: count, inner: inner, limit: limit, isOpen: box.isSelfSizing(axis)))
    }
  }

  private mutating func placed(
    by provider: CollectionLayoutGroup.CustomItemProvider, in inner: Size
  ) -> [CollectionLayoutGroupCustomItem] {
    let scale = container.scale.pixelsPerPoint
    let size = Size(width: inner.width / scale, height: inner.height / scale)
    let provided = provider(LayoutEnvironment(containerSize: size, scale: container.scale))
    // A group without slots could not hold any item, however often it is repeated.
    let items = provided.isEmpty ? [.init(frame: Rect(origin: .zero, size: size))] : provided
    let placed = Array(items.prefix(max(1, CollectionLayoutGroup.maximumSlotCount - slotCount)))
    slotCount += placed.count
    return placed
  }

  /// Returns the line with the subitems, repeated until the next box does not fit.
  ///
  /// An open line, whose length depends on its cells, contains all subitems at least once.
  private mutating func filled(
    _ empty: GroupLine, with subitems: [any CollectionLayoutSubitem], inner: Size, limit: Size, isOpen: Bool
  ) -> GroupLine {
    var line = empty
    var end = 0.0
    // The length of each subitem, once it is known, so that no box is created in vain in later repetitions.
    var lengths: [Double] = []
    func fits(_ length: Double) -> Bool {
      let count = line.boxes.count
      let end = end + (count > 0 ? line.gap : 0) + length
      return count == 0 || PixelEdge.nearest(end) <= PixelEdge.nearest(inner[line.axis])
        || (isOpen && count < subitems.count)
    }
    while line.boxes.isEmpty || !isFull {
      let position = line.boxes.count % subitems.count
      if position < lengths.count, !fits(lengths[position]) { break }
      let before = slotCount
      let box = box(subitems[position], in: inner, limit: limit)
      let length = box.margins[line.axis].sum + box.need[line.axis]
      if position == lengths.count { lengths.append(length) }
      guard fits(length) else {
        slotCount = before
        break
      }
      end += (line.boxes.isEmpty ? 0 : line.gap) + length
      line.boxes.append(box)
    }
    return line
  }

  /// Returns the line with a repeated subitem of equal lengths; an open line keeps a self-sizing subitem's own length.
  private mutating func repeated(
    _ empty: GroupLine, _ subitem: any CollectionLayoutSubitem, count: Int, inner: Size, limit: Size, isOpen: Bool
  ) -> GroupLine {
    var line = empty
    let margins = BoxMargins(subitem.edgeSpacing, in: container)[line.axis].sum
    // Reduce the count if there is less than a pixel for each box.
    let most = isOpen ? count : Int((inner[line.axis] + line.gap) / (1 + margins + line.gap))
    let count = max(1, min(count, most, CollectionLayoutGroup.maximumSlotCount))
    let available = inner[line.axis] - line.gap * Double(count - 1) - margins * Double(count)
    let keepsOwnLength = isOpen && subitem.layoutSize[line.axis].isEstimated
    for _ in 0..<count where line.boxes.isEmpty || !isFull {
      line.boxes.append(
        box(
          subitem, in: inner, limit: limit,
          equal: keepsOwnLength ? nil : (line.axis, max(1, available / Double(count)))))
    }
    return line
  }
}
