/// The numbers of file systems, of which a library has few, each in two bytes.
struct DeviceTable: Sendable {
  /// How many file systems have a short number.
  private let capacity: Int
  private var devices: [UInt64] = []

  /// Makes an empty table.
  init(capacity: Int = Int(UInt16.max)) { self.capacity = capacity }

  /// The short number of a file system; nothing where the table is full.
  mutating func intern(_ device: UInt64) -> UInt16? {
    // The last ones are asked for most.
    if let index = devices.lastIndex(of: device) { return UInt16(index) }
    guard devices.count < capacity else { return nil }
    devices.append(device)
    return UInt16(devices.count - 1)
  }

  /// The file system of a short number.
  subscript(number: UInt16) -> UInt64 { devices[Int(number)] }
}
