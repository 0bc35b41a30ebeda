/// The numbers of file systems, of which a library has few, each in two bytes.
struct DeviceTable: Sendable {
  private var devices: [UInt64] = []

  /// The short number of a file system; nothing for the 65,536th and later ones.
  mutating func intern(_ device: UInt64) -> UInt16? {
    // The last ones are asked for most.
    if let index = devices.lastIndex(of: device) { return UInt16(index) }
    guard devices.count < Int(UInt16.max) else { return nil }
    devices.append(device)
    return UInt16(devices.count - 1)
  }

  /// The file system of a short number.
  subscript(number: UInt16) -> UInt64 { devices[Int(number)] }
}
