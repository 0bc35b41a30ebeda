/// One frame as it was drawn.
public struct RecordedFrame: Hashable, Sendable {
  /// The colour to which it was cleared.
  public let background: Color
  /// The commands, back to front.
  public let commands: [DrawCommand]

  /// Makes a frame.
  public init(background: Color, commands: [DrawCommand]) {
    self.background = background
    self.commands = commands
  }
}
