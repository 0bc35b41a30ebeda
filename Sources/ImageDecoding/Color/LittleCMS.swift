import CLCMS

/// The door to Little CMS, which turns colours of a profile into sRGB.
///
/// Nothing of it leaves this file. What it refuses stays as it is: a strange profile is no reason not to show a picture.
enum LittleCMS {
  private static let curveSteps = 1024

  /// Converts pixels where they stand, R, G, B and a byte that is left alone.
  ///
  /// A profile for shades of grey is applied where all pixels are; one for inks, whose pixels have become colours before,
  /// is not.
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

  /// Converts pixels of a space that is described by numbers.
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
