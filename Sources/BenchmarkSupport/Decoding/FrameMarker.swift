/// The marker by which a JPEG file says in how many passes its pixels come (ITU-T T.81, table B.1).
public enum FrameMarker {
  /// Whether a JPEG file is progressive; false where no frame is found.
  ///
  /// - Complexity: O(markers before the frame).
  public static func isProgressive(_ file: UnsafeRawBufferPointer) -> Bool {
    var position = 2
    while position + 4 <= file.count, file[position] == 0xFF {
      let marker = file[position + 1]
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        return [0xC2, 0xC6, 0xCA, 0xCE].contains(marker)
      }
      position += 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
    }
    return false
  }
}
