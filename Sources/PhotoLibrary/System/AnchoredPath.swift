import CPlatform
import Glibc

/// A path of any length, made ready for the kernel: a folder on the way to it, and the rest from there.
struct AnchoredPath: ~Copyable {
  /// The folder; the working folder where the whole path is short enough.
  let folder: FileDescriptor
  /// The path from there, zero-terminated.
  let relativePath: [CChar]

  /// Opens the folders on the way, if the path is too long.
  ///
  /// The C function is `openat`.
  init(_ path: PhotoPath) throws(FileError) {
    // A zero byte would end the path early and name another file.
    guard !path.bytes.contains(0) else { throw FileError(.open, code: EINVAL) }
    let text = path.bytes.asCString
    var number: Int32 = -1
    var used = 0
    text.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      var rest: UnsafePointer<CChar>? = start
      number = platform_anchor_path(start, &rest)
      used = rest.map { $0 - start } ?? 0
    }
    guard number != -1 else { throw FileError(.open, code: errno) }
    folder = FileDescriptor(adopting: number)
    relativePath = Array(text[used...])
  }
}

extension Collection<UInt8> {
  /// The bytes with a zero behind them, as C functions take names.
  var asCString: [CChar] {
    var text: [CChar] = []
    text.reserveCapacity(count + 1)
    for byte in self { text.append(CChar(bitPattern: byte)) }
    text.append(0)
    return text
  }
}
