/// What the numbers of a picture's pixels mean.
enum PictureColors: Hashable {
  /// sRGB, or nothing that anybody said.
  case standard
  /// An ICC profile's bytes.
  case profile([UInt8])
  /// Numbers of ITU-T H.273 for primaries and transfer characteristics.
  case coded(primaries: Int, transfer: Int)

  /// For numbers of the standard; those of video and of nothing known are taken for sRGB.
  init(primaries: Int, transfer: Int) {
    let isUsual = [0, 1, 2].contains(primaries) && [0, 1, 2, 6, 13, 14, 15].contains(transfer)
    self = isUsual ? .standard : .coded(primaries: primaries, transfer: transfer)
  }

  /// What turns colours into sRGB before they are rounded, where the picture is one for bright displays; else nil.
  var bright: BrightDisplayColors? {
    guard case .coded(let primaries, let transfer) = self else { return nil }
    return BrightDisplayColors(primaries: primaries, transfer: transfer)
  }

  /// Turns pixels into sRGB where they stand; those of an unknown kind stay as they are.
  ///
  /// - Complexity: O(pixels), and some milliseconds for a profile with tables.
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
