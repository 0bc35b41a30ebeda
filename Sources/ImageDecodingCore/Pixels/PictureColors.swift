import CVitrineLCMS
import Glibc

/// The colour space of decoded pixels.
package enum PictureColors: Hashable {
  /// sRGB, or unspecified.
  case standard
  /// The bytes of an ICC profile.
  case profile([UInt8])
  /// Code points of ITU-T H.273 for primaries and transfer characteristics.
  case coded(primaries: Int, transfer: Int)

  /// Creates a colour space from code points.
  ///
  /// Those of standard-range video and unknown ones are treated as sRGB.
  package init(primaries: Int, transfer: Int) {
    let isStandard = [0, 1, 2].contains(primaries) && [0, 1, 2, 6, 13, 14, 15].contains(transfer)
    self = isStandard ? .standard : .coded(primaries: primaries, transfer: transfer)
  }

  /// Converts pixels to sRGB in place.
  ///
  /// Pixels of an unknown colour space are unchanged.
  ///
  /// - Complexity: O(pixels), plus some milliseconds for a profile with lookup tables.
  func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int) {
    switch self {
    case .standard:
      return
    case .profile(let bytes):
      guard let profile = ICCProfile(bytes), !profile.isStandard else { return }
      LittleCMS.convert(pixels, count: count, from: bytes)
    case .coded(let primaries, let transfer):
      guard let space = CodedColorSpace(primaries: primaries, transfer: transfer) else { return }
      LittleCMS.convert(pixels, count: count, from: space)
    }
  }
}

/// A colour space identified by code points (ITU-T H.273), as in videos and images that use video codecs.
package struct CodedColorSpace: Hashable {
  /// The chromaticities of red, green, blue and white, x before y.
  package let primaries: [Double]
  private let transfer: Int

  /// Creates a colour space, or returns nil for unsupported code points.
  package init?(primaries: Int, transfer: Int) {
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

  /// Returns the linear light of an encoded level, both 0 to 1.
  ///
  /// HDR transfer functions are handled by the decoders of AVIF and HEIC, before pixels are rounded.
  func light(_ level: Double) -> Double {
    switch transfer {
    case 4: pow(level, 2.2)
    case 5: pow(level, 2.8)
    case 8: level
    default: level <= 0.04045 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4)
    }
  }
}

/// A wrapper around Little CMS, which converts the colours of a profile to sRGB, and those of sRGB to a display's.
///
/// No other file calls the library. Pixels are unchanged if it rejects a profile, because an unusual profile is no
/// reason not to show an image.
enum LittleCMS {
  private static let curveSteps = 1024

  /// Converts pixels of R, G, B and an unused byte in place.
  ///
  /// A grey profile is applied if all pixels are grey. A CMYK profile is ignored, because its pixels have already been
  /// converted to RGB.
  ///
  /// The C functions are `cmsOpenProfileFromMem` and `cmsDoTransform`.
  static func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, from bytes: [UInt8]) {
    guard let profile = cmsOpenProfileFromMem(bytes, UInt32(clamping: bytes.count)) else { return }
    defer { cmsCloseProfile(profile) }
    switch cmsGetColorSpace(profile) {
    case cmsSigRgbData: convert(pixels, count, from: profile, layout: clcms_colors())
    case cmsSigGrayData where isGrey(pixels, count): convert(pixels, count, from: profile, layout: clcms_grey())
    default: return
    }
  }

  /// Converts pixels of a colour space identified by code points.
  ///
  /// The C functions are `cmsBuildTabulatedToneCurveFloat` and `cmsCreateRGBProfile`.
  static func convert(_ pixels: UnsafeMutablePointer<UInt8>, count: Int, from space: CodedColorSpace) {
    let table = (0..<curveSteps).map { Float(space.light(Double($0) / Double(curveSteps - 1))) }
    guard let curve = cmsBuildTabulatedToneCurveFloat(nil, UInt32(curveSteps), table) else { return }
    defer { cmsFreeToneCurve(curve) }
    let points = stride(from: 0, to: 8, by: 2).map {
      cmsCIExyY(x: space.primaries[$0], y: space.primaries[$0 + 1], Y: 1)
    }
    var white = points[3]
    var primaries = cmsCIExyYTRIPLE(Red: points[0], Green: points[1], Blue: points[2])
    var curves: [OpaquePointer?] = [curve, curve, curve]
    guard let profile = cmsCreateRGBProfile(&white, &primaries, &curves) else { return }
    defer { cmsCloseProfile(profile) }
    convert(pixels, count, from: profile, layout: clcms_colors())
  }

  /// Converts colours of sRGB to those of a display's profile, in place.
  ///
  /// The conversion is computed for each colour and not interpolated, at a microsecond a colour.
  ///
  /// The C functions are `cmsOpenProfileFromMem` and `cmsDoTransform`.
  ///
  /// - Parameters:
  ///   - colors: Red, green and blue of each colour, where 65,535 is the highest level.
  ///   - bytes: The bytes of the profile.
  /// - Returns: False if the library rejects the profile, or its colours are not red, green and blue.
  static func convert(_ colors: inout [UInt16], to bytes: [UInt8]) -> Bool {
    guard let profile = cmsOpenProfileFromMem(bytes, UInt32(clamping: bytes.count)) else { return false }
    defer { cmsCloseProfile(profile) }
    guard cmsGetColorSpace(profile) == cmsSigRgbData, let standard = cmsCreate_sRGBProfile() else { return false }
    defer { cmsCloseProfile(standard) }
    let layout = clcms_deep_colors()
    let intent = UInt32(INTENT_PERCEPTUAL)
    guard
      let transform = cmsCreateTransform(standard, layout, profile, layout, intent, UInt32(cmsFLAGS_NOOPTIMIZE))
    else { return false }
    defer { cmsDeleteTransform(transform) }
    colors.withUnsafeMutableBufferPointer {
      cmsDoTransform(transform, $0.baseAddress, $0.baseAddress, UInt32(clamping: $0.count / 3))
    }
    return true
  }

  private static func convert(
    _ pixels: UnsafeMutablePointer<UInt8>, _ count: Int, from profile: cmsHPROFILE, layout: UInt32
  ) {
    guard let standard = cmsCreate_sRGBProfile() else { return }
    defer { cmsCloseProfile(standard) }
    let intent = UInt32(INTENT_PERCEPTUAL)
    guard let transform = cmsCreateTransform(profile, layout, standard, clcms_colors(), intent, 0) else { return }
    defer { cmsDeleteTransform(transform) }
    cmsDoTransform(transform, pixels, pixels, UInt32(clamping: count))
  }

  private static func isGrey(_ pixels: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    (0..<count).allSatisfy { pixels[$0 * 4] == pixels[$0 * 4 + 1] && pixels[$0 * 4] == pixels[$0 * 4 + 2] }
  }
}
