public import FramePacing
public import Geometry
public import Rendering

/// What came in from the user or the window system in a recorded run, and when.
public nonisolated struct RecordedEvent: Hashable, Sendable {
  /// When it came, from the run's start.
  public var time: FrameDuration
  /// The number of the frame before which it was taken, from 0.
  public var frame: Int
  /// What came.
  public var kind: InputEvent.Kind
  /// The window's size in points, where it had become another one.
  public var size: Size?

  /// Makes an event.
  public init(time: FrameDuration, frame: Int, kind: InputEvent.Kind, size: Size? = nil) {
    self.time = time
    self.frame = frame
    self.kind = kind
    self.size = size
  }
}

extension RecordedEvent: Codable {
  /// Reads an event.
  ///
  /// - Throws: `DecodingError` where it is none, or one that no hand and no window could have made.
  public nonisolated init(from decoder: any Decoder) throws {
    let fields = try EventFields(from: decoder)
    guard let event = fields.event else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no event"))
    }
    self = event
  }

  /// Writes an event.
  public nonisolated func encode(to encoder: any Encoder) throws { try EventFields(self).encode(to: encoder) }
}
