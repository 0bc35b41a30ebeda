/// A face, weight and size of type.
public struct TextStyle: Hashable, Sendable {
  /// How heavy the strokes are.
  public enum Weight: UInt8, Hashable, Sendable {
    /// For reading.
    case regular
    /// For names and numbers that matter.
    case medium
    /// For titles.
    case semibold
  }

  /// Points from one baseline to the next at line height 1.2, roughly: the nominal size of the type.
  public var size: Double
  /// The weight.
  public var weight: Weight
  /// Whether all digits have one width, for numbers that change in place.
  public var hasMonospacedDigits: Bool

  /// Makes a style.
  public init(size: Double, weight: Weight = .regular, hasMonospacedDigits: Bool = false) {
    self.size = size
    self.weight = weight
    self.hasMonospacedDigits = hasMonospacedDigits
  }
}
