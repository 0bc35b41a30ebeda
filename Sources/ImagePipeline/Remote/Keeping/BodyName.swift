import Rendering

/// What the bytes of an address are called where they are kept: 128 bits of its digest.
///
/// Two addresses of one name are told apart by what is kept beside the bytes.
struct DownloadName: Hashable, Sendable {
  /// The name in the file system.
  let text: String
  /// Half of it, for the keys of caches.
  let word: UInt64

  /// Names what is wanted.
  init(_ request: RemoteRequest) {
    func half(_ seed: UInt64) -> UInt64 {
      var digest = ContentDigest()
      digest.combine(seed)
      digest.combine(UInt64(request.kind.rawValue))
      var text = request.url.text
      text.withUTF8 { digest.combine(bytes: UnsafeRawBufferPointer($0)) }
      return digest.value
    }
    word = half(1)
    text = DownloadName.hexadecimal(word) + DownloadName.hexadecimal(half(2))
  }

  /// The file of what is known of the bytes.
  var recordName: String { text + DownloadName.recordSuffix }

  static let recordSuffix = ".head"

  /// The name in the name of a file of what is known; nothing where it is none of ours.
  static func name(ofRecordFile name: String) -> String? {
    guard name.hasSuffix(recordSuffix) else { return nil }
    let text = String(name.dropLast(recordSuffix.count))
    return isName(text) ? text : nil
  }

  /// Whether a text is such a name, as the file of bytes has it.
  static func isName(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
