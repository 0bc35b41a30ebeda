/// What is done for a cell before it can be shown, in this order.
public enum PreparationStep: UInt8, CaseIterable, Comparable, Sendable {
  /// It is made, or taken from its pool and emptied.
  case create
  /// Its item is put in.
  case configure
  /// A part of it is done, where a cell is so heavy that it is prepared in parts.
  case part
  /// It is asked for its size, and laid out.
  case size
  /// Its display list is built, texts measured.
  case draw
  /// Its bitmaps become textures.
  case upload

  /// The step after this one; nothing after the last.
  public var next: PreparationStep? { PreparationStep(rawValue: rawValue + 1) }

  /// The order in which they are done.
  public static func < (left: PreparationStep, right: PreparationStep) -> Bool { left.rawValue < right.rawValue }
}
