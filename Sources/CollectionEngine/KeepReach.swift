/// How far around the screen cells may wait, in screens.
public struct KeepExtent: Hashable, Sendable {
  /// In the direction of scrolling.
  public var ahead: Double
  /// Against it.
  public var behind: Double
  /// The farthest that speed may stretch ``ahead`` to.
  public var maximumAhead: Double
  /// How many bytes waiting cells may hold together; a cell that holds more by itself waits alone.
  public var maximumBytes: Int

  /// A screen ahead, half a one behind, and two and a half ahead of a fast scroll.
  public static let standard = KeepExtent(ahead: 1, behind: 0.5, farthestAhead: 2.5)
  /// A quarter of a screen each way, while memory is short.
  public static let lowMemory = KeepExtent(ahead: 0.25, behind: 0.25, farthestAhead: 0.25)
  /// For data, which takes longer to come than a cell: two screens ahead, half a one behind.
  public static let data = KeepExtent(ahead: 2, behind: 0.5, farthestAhead: 2.5)
  /// Nothing waits.
  public static let none = KeepExtent(ahead: 0, behind: 0, farthestAhead: 0)

  /// As many bytes as waiting cells hold unless told: pixels and textures of four screens of 1080 lines.
  public static let defaultMaximumBytes = 64 << 20

  /// Makes a reach; what is negative or not a number counts as zero.
  public init(ahead: Double, behind: Double, farthestAhead: Double, mostBytes: Int = KeepExtent.defaultMaximumBytes) {
    self.ahead = KeepExtent.sanitized(ahead)
    self.behind = KeepExtent.sanitized(behind)
    self.maximumAhead = max(KeepExtent.sanitized(ahead), KeepExtent.sanitized(farthestAhead))
    self.maximumBytes = max(0, mostBytes)
  }

  /// The same while memory is short: a quarter of a screen each way, and a quarter of the bytes.
  public var reducedForLowMemory: KeepExtent {
    var tight = KeepExtent.lowMemory
    tight.maximumBytes = maximumBytes / 4
    return tight
  }

  /// How many cells may wait, where so many are on screen at most.
  ///
  /// As many as fit in what is kept around the screen, and around the place where a flick lands; a few at least.
  public func maximumCells(visible: Int) -> Int {
    let screens = max(maximumAhead + behind, 2 * (ahead + behind) + 1)
    return max(KeepExtent.minimumCells, Int((Double(max(0, visible)) * screens).rounded(.up)))
  }

  /// As few cells cost next to nothing, however large each is on screen.
  private static let minimumCells = 8

  private static func sanitized(_ screens: Double) -> Double { screens > 0 ? min(screens, 1_000) : 0 }
}
