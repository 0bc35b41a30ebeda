import BenchmarkSupport
import FramePacing
import Glibc
import ImageMetadata

/// Headers of files: each opened, read as far as its header goes, and closed.
struct HeaderRun {
  let pictures: [MeasuredPicture]

  /// The headers that are read.
  static let count = 10_000

  /// The processor time of all headers, in nanoseconds.
  func time() throws -> Double {
    let paths = pictures.map { $0.path.utf8CString }
    let start = ThreadTime.now()
    for index in 0..<HeaderRun.count {
      let header = try paths[index % paths.count].withUnsafeBufferPointer { path in
        try HeaderRun.header(of: path.baseAddress)
      }
      guard header != nil else { throw CommandError("a header could not be read") }
    }
    return Double((ThreadTime.now() - start).nanoseconds)
  }

  /// The header of a file; nothing where it has none that is known.
  static func header(of path: UnsafePointer<CChar>?) throws -> ImageHeader? {
    guard let path else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    return try ImageHeader.read(fileBytes: Int(status.st_size)) { offset, count throws(CommandError) in
      [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        filled = max(0, pread(descriptor, bytes.baseAddress, count, offset))
      }
    }
  }
}
