/// The colours of a display, described by its profile.
///
/// Pictures are converted to sRGB when they are decoded, and are stored so. What is shown of them is converted from sRGB
/// to the colours of the display.
public struct DisplayColors {
  private let profile: [UInt8]

  /// Creates the colours of a display.
  ///
  /// - Parameter bytes: The bytes of the display's profile, which are not trusted.
  /// - Returns: The colours, or nil if the bytes are not a profile, or are that of sRGB, so that nothing is converted.
  public init?(profile bytes: [UInt8]) {
    guard let profile = ICCProfile(bytes), !profile.isStandard else { return nil }
    self.profile = bytes
  }

  /// Returns the colours of the display for a grid of colours of sRGB, or nil if the profile is not usable.
  ///
  /// - Parameter levels: The levels of each channel, 0 to 255.
  /// - Returns: Red, green and blue of each colour, where 65,535 is the highest level. Red varies fastest, then green.
  /// - Complexity: O(levels³), about a microsecond a colour.
  public func grid(of levels: [UInt8]) -> [UInt16]? {
    let levels = levels.map { UInt16($0) * 257 }
    var grid: [UInt16] = []
    grid.reserveCapacity(levels.count * levels.count * levels.count * 3)
    for blue in levels {
      for green in levels {
        for red in levels {
          grid.append(red)
          grid.append(green)
          grid.append(blue)
        }
      }
    }
    return LittleCMS.convert(&grid, to: profile) ? grid : nil
  }
}
