import Rendering

/// Writes QOI files with every kind of command that the format has.
enum QOIWriter {
  /// A file of a picture.
  static func file(_ picture: TestPicture, channels: UInt8 = 4) -> [UInt8] {
    var out = Array("qoif".utf8) + big(picture.width) + big(picture.height) + [channels, 0]
    var seen = [[UInt8]](repeating: [0, 0, 0, 0], count: 64)
    var last: [UInt8] = [0, 0, 0, 255]
    var run: UInt8 = 0
    func endRun() {
      if run > 0 { out.append(0xC0 | (run - 1)) }
      run = 0
    }
    for start in stride(from: 0, to: picture.bytes.count, by: 4) {
      let pixel = Array(picture.bytes[start..<start + 4])
      if pixel == last {
        run += 1
        if run == 62 { endRun() }
        continue
      }
      endRun()
      let hash = (Int(pixel[0]) * 3 + Int(pixel[1]) * 5 + Int(pixel[2]) * 7 + Int(pixel[3]) * 11) % 64
      let step = (0..<3).map { Int(Int8(bitPattern: pixel[$0] &- last[$0])) }
      if seen[hash] == pixel {
        out.append(UInt8(hash))
      } else if pixel[3] != last[3] {
        out += [0xFF] + pixel
      } else if step.allSatisfy({ (-2...1).contains($0) }) {
        out.append(0x40 | UInt8(step[0] + 2) << 4 | UInt8(step[1] + 2) << 2 | UInt8(step[2] + 2))
      } else if (-32...31).contains(step[1]), [step[0] - step[1], step[2] - step[1]].allSatisfy((-8...7).contains) {
        out += [0x80 | UInt8(step[1] + 32), UInt8(step[0] - step[1] + 8) << 4 | UInt8(step[2] - step[1] + 8)]
      } else {
        out += [0xFE] + pixel.prefix(3)
      }
      seen[hash] = pixel
      last = pixel
    }
    endRun()
    return out + [0, 0, 0, 0, 0, 0, 0, 1]
  }

  private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}
