/// What is known of bytes that are kept, a few lines of text beside them.
struct DownloadRecord: Hashable, Sendable {
  /// The address, without a name and password.
  var address: String
  /// What the file of the bytes was when it was written: another one, or a changed one, is not believed.
  var status: DownloadFileSystem.Status
  /// What the server calls this state of them.
  var validator: RemoteValidator
  /// When the server was asked last, in seconds since 1970.
  var lastValidated: Int
  /// Whether a server of the internet gave them.
  var isPublic: Bool

  private static let title = "vitrine download 1"

  /// The most bytes of a record.
  static let maximumBytes = 1 << 14

  /// Makes a record.
  init(
    address: String, status: DownloadFileSystem.Status, validator: RemoteValidator, lastValidated: Int, isPublic: Bool
  ) {
    self.address = address
    self.status = status
    self.validator = validator
    self.lastValidated = lastValidated
    self.isPublic = isPublic
  }

  /// Reads a record; nothing where it is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= DownloadRecord.maximumBytes else { return nil }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
    // The last line has its end: half a record is none.
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

  /// The record as it is written.
  var bytes: [UInt8] {
    let name = validator.eTag.map { "t" + $0 } ?? validator.lastModified.map { "d" + $0 } ?? "-"
    let lines = [
      DownloadRecord.title, address, "\(status.node)", "\(status.byteCount)", "\(status.modifiedSeconds)",
      "\(status.modifiedNanoseconds)", "\(lastValidated)", name, isPublic ? "public" : "near",
    ]
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }
}
