/// How long one launch took.
public struct LaunchReading: Hashable, Sendable {
  /// Nanoseconds from exec to the first frame; nothing where none was shown.
  public let firstFrame: Double?
  /// Nanoseconds from exec until every cell on the screen had its picture; nothing where the run ended before.
  public let fullScreen: Double?

  /// Makes a reading.
  ///
  /// - Parameters:
  ///   - start: when the program was started, in nanoseconds on the monotonic clock.
  ///   - report: what it said.
  public init(start: Double, report: LaunchReport) {
    firstFrame = report.firstFrame.map { $0 - start }
    fullScreen = report.fullScreen.map { $0 - start }
  }
}
