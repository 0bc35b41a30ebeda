package import Rendering

/// In which order the first three bytes of a pixel have its channels; the fourth is alpha or of no account.
package nonisolated enum ChannelOrder: Hashable, Sendable {
  /// Red, green, blue: the order of a bitmap.
  case redFirst
  /// Blue, green, red: what most window systems have.
  case blueFirst

  /// A colour as a pixel's four bytes, the first one lowest.
  @inline(__always)
  package func pixel(_ color: Color) -> UInt32 {
    switch self {
    case .redFirst: color.packed
    case .blueFirst:
      UInt32(color.blue) | UInt32(color.green) << 8 | UInt32(color.red) << 16 | UInt32(color.alpha) << 24
    }
  }
}
