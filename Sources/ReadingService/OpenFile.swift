import CVitrinePlatform
import Glibc
import VitrineImageMetadata
import VitrineReadingProtocol

/// A file of another program, opened read-only.
///
/// It is read into private memory and never mapped, because another process may truncate it.
struct OpenFile: ~Copyable {
  /// An error number of a read.
  struct ReadError: Error {
    let code: Int32
  }

  private let descriptor: Int32
  /// The number of bytes that are read at most.
  let byteCount: Int

  /// Takes ownership of a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor.
  ///   - byteCount: The length of the file when it was opened.
  init(adopting descriptor: Int32, byteCount: UInt64) {
    self.descriptor = descriptor
    self.byteCount = Int(clamping: byteCount)
  }

  deinit { close(descriptor) }

  /// Reads the given number of bytes, or fewer at the end of the file.
  ///
  /// The C function is `pread`.
  ///
  /// - Throws: ``ReadError``, with EIO if the file has become shorter, after which what was read means nothing.
  func read(_ offset: Int, _ count: Int) throws(ReadError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: max(0, min(count, byteCount - offset))) { buffer, filled in
      while filled < buffer.count {
        let left = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = pread(descriptor, left.baseAddress, left.count, off_t(offset + filled))
        if got > 0 {
          filled += got
        } else if got < 0, errno == EINTR {
          continue
        } else {
          code = got < 0 ? errno : EIO
          return
        }
      }
    }
    if code != 0 { throw ReadError(code: code) }
    return bytes
  }
}
