internal import FoundationEssentials

/// What the gallery's report says of its launch.
public struct LaunchReport: Hashable, Decodable, Sendable {
  private struct Launch: Hashable, Decodable, Sendable {
    var firstFrameInstantNs: Double?
    var firstFullScreenInstantNs: Double?
  }

  private struct Memory: Hashable, Decodable, Sendable {
    var residentPeakBytes: Double
  }

  private let launch: Launch
  private let memory: Memory

  /// Reads a report's text.
  ///
  /// - Throws: ``ResultError`` that names the place.
  public init(_ text: String, from place: String) throws(ResultError) {
    do { self = try JSONDecoder().decode(LaunchReport.self, from: Data(text.utf8)) } catch {
      throw ResultError(place, error)
    }
  }

  /// When the first frame was shown, in nanoseconds on the monotonic clock; nothing where none was.
  public var firstFrame: Double? { launch.firstFrameInstantNs }
  /// When every cell on the screen had its picture; nothing where the run ended before.
  public var fullScreen: Double? { launch.firstFullScreenInstantNs }
  /// The most bytes that were resident in the run.
  public var residentBytes: Double { memory.residentPeakBytes }
}
