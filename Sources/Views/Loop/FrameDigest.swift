import FramePacing
import Geometry
import Rendering

/// A running digest of what every frame drew.
///
/// Pictures count by their pixels, never by texture number, so equal runs have equal digests on any machine.
public struct FrameDigest {
  private var digest = ContentDigest()

  init() {}

  /// The digest of all frames so far, as sixteen hexadecimal digits.
  public var text: String {
    let digits = String(digest.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  mutating func combine(_ list: DisplayList, in textures: TextureCache) {
    digest.combine(UInt64(list.count))
    for command in list.commands {
      digest.combine(UInt64(command.color.packed) | (command.isBlended ? 1 << 40 : 0) | FrameDigest.code(command.kind))
      digest.combine(FrameDigest.words(command.destination).0)
      digest.combine(FrameDigest.words(command.destination).1)
      guard command.kind == .texture else { continue }
      digest.combine(FrameDigest.words(command.source).0)
      digest.combine(FrameDigest.words(command.source).1)
      digest.combine(textures.contentDigest(of: command.texture))
    }
  }

  private static func code(_ kind: DrawCommand.Kind) -> UInt64 { UInt64(kind.rawValue) << 48 }

  private static func words(_ rect: PixelRect) -> (UInt64, UInt64) {
    (
      UInt64(UInt32(bitPattern: rect.x)) | UInt64(UInt32(bitPattern: rect.y)) << 32,
      UInt64(UInt32(bitPattern: rect.width)) | UInt64(UInt32(bitPattern: rect.height)) << 32
    )
  }
}
