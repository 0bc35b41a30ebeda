import Glibc

/// A colour space that is named by numbers (ITU-T H.273), as videos and the pictures made of their codecs name it.
struct CodedColorSpace: Hashable {
  /// Chromaticities of red, green, blue and white, x before y.
  let primaries: [Double]
  private let transfer: Int

  /// For numbers that are known here.
  init?(primaries: Int, transfer: Int) {
    let daylight = [0.3127, 0.3290]
    switch primaries {
    case 0, 1, 2: self.primaries = [0.640, 0.330, 0.300, 0.600, 0.150, 0.060] + daylight
    case 4: self.primaries = [0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.310, 0.316]
    case 5: self.primaries = [0.64, 0.33, 0.29, 0.60, 0.15, 0.06] + daylight
    case 6, 7: self.primaries = [0.630, 0.340, 0.310, 0.595, 0.155, 0.070] + daylight
    case 9: self.primaries = [0.708, 0.292, 0.170, 0.797, 0.131, 0.046] + daylight
    case 11: self.primaries = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.314, 0.351]
    case 12: self.primaries = [0.680, 0.320, 0.265, 0.690, 0.150, 0.060] + daylight
    default: return nil
    }
    switch transfer {
    case 0, 1, 2, 4, 5, 6, 8, 13, 14, 15, 16, 18: self.transfer = transfer
    default: return nil
    }
  }

  /// The light of a level, both 0 to 1; pictures for bright displays are ``BrightDisplayColors``' work.
  func light(_ level: Double) -> Double {
    switch transfer {
    case 4: pow(level, 2.2)
    case 5: pow(level, 2.8)
    case 8: level
    default: level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }
  }
}
