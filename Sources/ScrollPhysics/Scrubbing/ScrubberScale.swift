/// The room along a time line, and how close what stands there may come, in points.
public struct ScrubberScale: Hashable, Sendable {
  /// The way of the thumb's middle from the first offset to the last.
  public var length: Double
  /// From a mark to the next one, at least.
  public var markPitch: Double
  /// From a text to the next one, at least.
  public var labelPitch: Double
  /// More marks than this are of use to nobody, however high the screen.
  private static let mostSlots = 2_048

  /// Makes a scale; what is no positive number counts as a point for pitches, and as nothing for the length.
  public init(length: Double, markPitch: Double, labelPitch: Double) {
    self.length = length.isFinite ? max(0, length) : 0
    self.markPitch = markPitch.isFinite && markPitch > 0 ? markPitch : 1
    self.labelPitch = labelPitch.isFinite && labelPitch > 0 ? max(labelPitch, self.markPitch) : self.markPitch
  }

  /// Into how many parts the line is cut, each of which has one mark at most.
  public var slots: Int { Int(min(Double(ScrubberScale.mostSlots), (length / markPitch).rounded(.down))) }
}
