import CollectionUI
import Glibc

/// A layout of disks, each a center with circles of 6, 12, 18 and more items around it.
///
/// A disk is as broad as the section, and disks follow each other. Frames are computed from the index of the item, so
/// the time of a query does not depend on the number of items. An item is as large as its cell prefers, within its place
/// on the circle.
nonisolated struct CircleLayout: SectionLayout {
  private let maximumItemSize: Double
  /// The width and height of an item's place.
  private var itemSize = 1.0
  private var itemCount = 0
  private var axis = Axis.vertical
  private var breadth = 0.0
  /// The number of circles around the center of a disk.
  private var circles = 0
  private var preferredSizes: [Int: Size] = [:]

  /// Creates a layout whose items have at most a given width and height, in points.
  init(itemSize: Double) { maximumItemSize = max(1, itemSize) }

  mutating func prepare(itemCount: Int, in environment: SectionLayoutEnvironment) {
    (self.itemCount, axis, breadth) = (itemCount, environment.flowAxis, environment.breadth)
    itemSize = max(1, min(maximumItemSize, breadth))
    circles = max(0, Int((breadth / itemSize - 1) / 2))
    preferredSizes = [:]
  }

  /// The number of items of a disk: 1 + 6 + 12 + 18 + ...
  private var diskCount: Int { 1 + 3 * circles * (circles + 1) }
  private var diskLength: Double { Double(2 * circles + 1) * itemSize }

  var contentLength: Double { Double((itemCount + diskCount - 1) / diskCount) * diskLength }

  func frame(ofItem item: Int) -> Rect {
    let (disk, index) = item.quotientAndRemainder(dividingBy: diskCount)
    // Circle c begins after 1 + 3 c (c - 1) items.
    var circle = index == 0 ? 0 : Int((Double(index) / 3).squareRoot())
    while 1 + 3 * circle * (circle + 1) <= index { circle += 1 }
    while circle > 0, 1 + 3 * circle * (circle - 1) > index { circle -= 1 }
    var center = Point.zero
    center[axis] = (Double(disk) + 0.5) * diskLength
    center[axis.cross] = breadth / 2
    if circle > 0 {
      let angle = 2 * Double.pi * Double(index - 1 - 3 * circle * (circle - 1)) / Double(6 * circle)
      center.x += Double(circle) * itemSize * sin(angle)
      center.y -= Double(circle) * itemSize * cos(angle)
    }
    let preferred = preferredSizes[item] ?? Size(width: itemSize, height: itemSize)
    let size = Size(width: min(preferred.width, itemSize), height: min(preferred.height, itemSize))
    return Rect(origin: Point(x: center.x - size.width / 2, y: center.y - size.height / 2), size: size)
  }

  /// Returns the items of all disks that the rectangle touches.
  func items(in rect: Rect) -> Range<Int> {
    let first = max(0, Int(rect.origin[axis] / diskLength))
    let last = max(first, Int((rect.origin[axis] + rect.size[axis]) / diskLength))
    return min(itemCount, first * diskCount)..<min(itemCount, (last + 1) * diskCount)
  }

  var usesPreferredSizes: Bool { true }

  mutating func setPreferredSize(_ size: Size, ofItem item: Int) -> Bool {
    preferredSizes.updateValue(size, forKey: item) != size
  }
}
