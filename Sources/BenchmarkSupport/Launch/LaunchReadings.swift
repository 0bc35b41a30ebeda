/// How long several launches took.
public struct LaunchReadings: Hashable, Sendable {
  /// Nanoseconds to the first frame, of those that showed one.
  public private(set) var firstFrames: [Double] = []
  /// Nanoseconds to a full screen, of those that showed one.
  public private(set) var fullScreens: [Double] = []

  /// No launch.
  public init() {}

  /// Takes in a launch.
  public mutating func add(_ reading: LaunchReading) {
    if let time = reading.firstFrame { firstFrames.append(time) }
    if let time = reading.fullScreen { fullScreens.append(time) }
  }
}
