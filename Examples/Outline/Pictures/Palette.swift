/// The colours of a landscape, by what it is of and by the time of day.
nonisolated struct Palette {
  /// The sky above, and where it meets the land.
  var (zenith, horizon): (UInt32, UInt32)
  /// The farthest ridge, and the nearest.
  var (far, near): (UInt32, UInt32)
  /// Still water before it, if there is any.
  var water: UInt32?
  /// How rugged ridges are, from hills to peaks.
  var ruggedness: Double

  init(_ scenery: Scenery, isEvening: Bool) {
    switch scenery {
    case .coast:
      (far, near, water, ruggedness) = (0x7C93A8, 0x2F4456, 0x4A7C93, 0.5)
    case .mountains:
      (far, near, water, ruggedness) = (0x93A3B8, 0x3B4A5C, nil, 1)
    case .desert:
      (far, near, water, ruggedness) = (0xDDA878, 0xA9603A, nil, 0.15)
    case .forest:
      (far, near, water, ruggedness) = (0x7FA08D, 0x23473A, nil, 0.35)
    case .lake:
      (far, near, water, ruggedness) = (0x86A0A6, 0x34565C, 0x5E9AA6, 0.6)
    case .ice:
      (far, near, water, ruggedness) = (0xC3D6E4, 0x6E93AE, 0xA9CBDC, 0.8)
    case .town:
      (far, near, water, ruggedness) = (0xB5A191, 0x5A4A47, nil, 0.25)
    }
    (zenith, horizon) = isEvening ? (0x4A5A8C, 0xF4C79A) : (0x6FA6D8, 0xE4EEF2)
    if scenery == .desert, !isEvening { (zenith, horizon) = (0x78AEDB, 0xF6E3C4) }
  }
}
