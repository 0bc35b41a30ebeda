import VitrineRendering

/// The metadata of a stored download, stored as lines of text.
struct DownloadRecord: Hashable, Sendable {
  /// The URL without credentials.
  var address: String
  /// The status of the content file when it was written.
  ///
  /// A file with another status does not match the record.
  var status: DownloadFileSystem.Status
  /// The server's validator of the content.
  var validator: RemoteValidator
  /// The time of the last validation, in seconds since 1970.
  var lastValidated: Int
  /// Whether the content comes from a public server.
  var isPublic: Bool

  private static let title = "vitrine download 1"

  /// The maximum size of a record, in bytes.
  static let maximumBytes = 1 << 14

  /// Creates a record.
  init(
    address: String, status: DownloadFileSystem.Status, validator: RemoteValidator, lastValidated: Int, isPublic: Bool
  ) {
    self.address = address
    self.status = status
    self.validator = validator
    self.lastValidated = lastValidated
    self.isPublic = isPublic
  }

  /// Parses a record, or returns nil if it is invalid.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= DownloadRecord.maximumBytes else { return nil }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    // The last line must be terminated: a truncated record is invalid.
    guard lines.popLast() == "", lines.count == 9, lines[0] == DownloadRecord.title else { return nil }
    guard let node = UInt64(lines[2]), let count = Int(lines[3]), let seconds = Int(lines[4]),
      let nanoseconds = Int(lines[5]), let checked = Int(lines[6]), checked >= 0, let last = lines[8].first
    else { return nil }
    address = lines[1]
    status = DownloadFileSystem.Status(
      node: node, byteCount: count, modifiedSeconds: seconds, modifiedNanoseconds: nanoseconds)
    self.lastValidated = checked
    isPublic = last == "p"
    switch lines[7].first {
    case "t": validator = RemoteValidator(eTag: RemoteValidator.sanitized(String(lines[7].dropFirst())))
    case "d": validator = RemoteValidator(lastModified: RemoteValidator.sanitized(String(lines[7].dropFirst())))
    default: validator = RemoteValidator()
    }
  }

  /// The serialized record.
  var bytes: [UInt8] {
    let validatorLine = validator.eTag.map { "t" + $0 } ?? validator.lastModified.map { "d" + $0 } ?? "-"
    let lines = [
      DownloadRecord.title, address, "\(status.node)", "\(status.byteCount)", "\(status.modifiedSeconds)",
      "\(status.modifiedNanoseconds)", "\(lastValidated)", validatorLine, isPublic ? "public" : "near",
    ]
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }
}

/// The file name of a stored download: 128 bits of the request's digest.
///
/// The record contains the URL, which resolves collisions.
struct DownloadName: Hashable, Sendable {
  /// The name in the file system.
  let text: String
  /// Half of the digest, for cache keys.
  let digest: UInt64

  /// Creates the name of a request's download.
  init(_ request: RemoteRequest) {
    func half(_ seed: UInt64) -> UInt64 {
      var digest = ContentDigest()
      digest.combine(seed)
      digest.combine(UInt64(request.kind.rawValue))
      var text = request.url.text
      text.withUTF8 { digest.combine(bytes: UnsafeRawBufferPointer($0)) }
      return digest.value
    }
    digest = half(1)
    text = DownloadName.hexadecimal(digest) + DownloadName.hexadecimal(half(2))
  }

  /// The name of the record file.
  var recordName: String { text + DownloadName.recordSuffix }

  static let recordSuffix = ".head"

  /// Returns the download's name for a record file's name, or nil for any other file.
  static func name(ofRecordFile name: String) -> String? {
    guard name.hasSuffix(recordSuffix) else { return nil }
    let text = String(name.dropLast(recordSuffix.count))
    return isName(text) ? text : nil
  }

  /// Returns whether a file name is a download's name.
  static func isName(_ text: String) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}
