public import FramePacing

/// What the steps of preparing a cell are said to cost: spent on the virtual clock, where nothing takes time by itself,
/// and believed until cells have shown another.
public struct DeclaredCosts: Hashable, Sendable {
  /// What making one takes.
  public var create: FrameDuration
  /// What its handler takes.
  public var configure: FrameDuration
  /// What each part takes, of a cell that is prepared in parts.
  public var part: FrameDuration
  /// What laying it out and asking for its size takes.
  public var size: FrameDuration
  /// What its drawing takes.
  public var draw: FrameDuration

  /// Declares costs; a step that is not named takes no time, and a negative one counts as none.
  ///
  /// Uploads have a cost of their own in all views.
  public init(
    create: FrameDuration = .zero, configure: FrameDuration = .zero, part: FrameDuration = .zero,
    size: FrameDuration = .zero, draw: FrameDuration = .zero
  ) {
    self.create = max(.zero, create)
    self.configure = max(.zero, configure)
    self.part = max(.zero, part)
    self.size = max(.zero, size)
    self.draw = max(.zero, draw)
  }

  /// Nothing is declared.
  public static let none = DeclaredCosts()

  /// What a step takes.
  public subscript(step: PreparationStep) -> FrameDuration {
    switch step {
    case .create: create
    case .configure: configure
    case .part: part
    case .size: size
    case .draw: draw
    case .upload: .zero
    }
  }
}
