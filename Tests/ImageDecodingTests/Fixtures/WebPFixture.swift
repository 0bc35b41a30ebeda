import VitrineRendering

/// WebP files: images of libwebp's encoder, and synthetic containers.
enum WebPFixture {
  /// Red, green, blue and white corners, 24 by 16 pixels, lossless.
  static let losslessCorners = JPEGFixture.bytes(
    "5650384c2b0000002f17c003001f201048de1f3a8df9171014fc1fddfc47640f8030db6892939ce4fd8f20a2ff51a94f60db1300")

  /// The same corners, lossy.
  static let lossyCorners = JPEGFixture.bytes(
    """
    565038205e000000b003009d012a180010002e25188c4611111101001225a802c46a00caffdc0004de6d85cd2a4000fefd9b8bd161ffb95d1ff\
    ff508bedffef3e7ffa51ffe0eb947ffd5d17fcfa7ffada8123ffff57427bff990eec09f9f2dfc014b75409000
    """)

  /// The same corners: the upper two half transparent, the lower two fully transparent.
  static let alphaCorners = JPEGFixture.bytes(
    "5650384c220000002f17c0031017201048da1f7a8df98f010c6c412040983429554144ff27a0524fec01")

  /// Hills, 16 by 96 pixels, lossy.
  static let tallHills = JPEGFixture.bytes(
    """
    56503820380100007008009d012a100060003f117ab352ac27a4a2aab80c018022096200bb339b702131a788e1855d6dbddffda73d5cd42479c\
    070fb7331451b060e064494b9600c112c8c24610c3880ab52a7e000fee8aada59fa05d5424f6066574c9950e768ebd8e917b55ca48e8f4d2ba3\
    a4fce09d62990e1ac1ac6c413e3d3e937c1d503fc313479da3899086891151ecbe58ad13d833a523bd9a2329a54adbae17ed9a4cf56683eb2cc\
    d36b4adfa933a9ce411300c3d7b6d82bffd57ee0e3ea9a38cb4731009dc3546add179cb0accee285785ee84b45bd2cae1ec2ff8506221f0005c\
    4859e382d264f2987e705d1a295cfe635b74214a31de874b28cf8543929ec09080cbe897d7818b84ec6e667866641b7bf85321b3abc090dd5ba\
    f8ed58b81ce551501321bae0a4111918d67c58f3a772a5259654695688b400000
    """)

  /// Returns the chunk of a lossless image of one opaque color at any size.
  static func uniformChunk(width: Int, height: Int, _ color: Color) -> [UInt8] {
    // Without the head of the file.
    Array(uniform(width: width, height: height, color).dropFirst(12))
  }

  /// Returns a lossless image of one opaque color at any size.
  ///
  /// Each channel has one symbol, which needs no bits.
  static func uniform(width: Int, height: Int, _ color: Color) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) { bits += (0..<count).map { value >> $0 & 1 == 1 } }
    append(0x2F, 8)
    append(width - 1, 14)
    append(height - 1, 14)
    // No alpha, version 0, no transform, no color cache, and no code groups.
    append(0, 1 + 3 + 3)
    for symbol in [color.green, color.red, color.blue, 255] {
      // A simple code of one symbol with eight bits.
      append(0b101, 3)
      append(Int(symbol), 8)
    }
    // The code of the distances, of which there are none.
    append(0b0001, 4)
    bits += Array(repeating: false, count: (8 - bits.count % 8) % 8)
    let bytes = stride(from: 0, to: bits.count, by: 8).map { start in
      (0..<8).reduce(UInt8(0)) { $0 | (bits[start + $1] ? 1 << UInt8($1) : 0) }
    }
    return file(chunk("VP8L", bytes))
  }

  /// Returns a file with the chunks of one image.
  static func still(_ picture: [UInt8]) -> [UInt8] { file(picture) }

  /// Returns a file with the chunks of one image after a color profile.
  static func withProfile(_ profile: [UInt8], _ picture: [UInt8], width: Int, height: Int) -> [UInt8] {
    let profileFlag: UInt8 = 0x20
    return file(extended(profileFlag, width, height) + chunk("ICCP", profile) + picture)
  }

  /// Returns a file with the chunks of one image before EXIF data.
  static func still(_ picture: [UInt8], width: Int, height: Int, exif: [UInt8]) -> [UInt8] {
    let exifFlag: UInt8 = 0x08
    return file(extended(exifFlag, width, height) + picture + chunk("EXIF", exif))
  }

  /// Returns an animation with frames at positions on a canvas.
  static func animation(
    canvas: (width: Int, height: Int), frames: [(x: Int, y: Int, width: Int, height: Int, picture: [UInt8])],
    flags: [UInt8] = []
  ) -> [UInt8] {
    let animationFlag: UInt8 = 0x02
    var chunks = extended(animationFlag, canvas.width, canvas.height) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
    for (index, frame) in frames.enumerated() {
      let position =
        little(frame.x / 2, 3) + little(frame.y / 2, 3) + little(frame.width - 1, 3) + little(frame.height - 1, 3)
      chunks += chunk("ANMF", position + little(100, 3) + [index < flags.count ? flags[index] : 0] + frame.picture)
    }
    return file(chunks)
  }

  private static func file(_ chunks: [UInt8]) -> [UInt8] {
    Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks
  }

  private static func extended(_ flags: UInt8, _ width: Int, _ height: Int) -> [UInt8] {
    chunk("VP8X", [flags, 0, 0, 0] + little(width - 1, 3) + little(height - 1, 3))
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
