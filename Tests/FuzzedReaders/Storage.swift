import Glibc
import VitrineDataStructures
import VitrineImagePipeline
import VitrineImageStore

/// Damages a file of previews as the bytes specify, and reads it.
///
/// Random bytes are rejected immediately. Therefore a valid file is changed: each three bytes of the input are an
/// offset and an operation.
func readStorage(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let fixture = PreviewFixture()
  var bytes = fixture.original
  for index in stride(from: 0, to: count - 2, by: 3) {
    guard let start, !bytes.isEmpty else { break }
    let offset = (Int(start[index]) << 8 | Int(start[index + 1])) % bytes.count
    let operation = start[index + 2]
    switch operation {
    case 0: bytes.removeLast(bytes.count - offset)
    case 1: bytes.insert(contentsOf: bytes[offset...].prefix(64), at: offset)
    case 2: bytes.removeSubrange(offset..<min(offset + 8, bytes.count))
    default: bytes[offset] ^= operation
    }
  }
  fixture.write(bytes)
  // Whatever the file contains, reading and writing end, with previews or with an error. That damage is repaired is tested
  // with the tables of the tests, as not every change of a file is damage.
  fixture.loadAndAppend()
  fixture.load()
}

/// A folder in memory with a file of small previews.
private struct PreviewFixture {
  /// The number of previews in the file.
  static let recordCount = 40

  /// The bytes of the undamaged file.
  let original: [UInt8]
  private let folder: [UInt8]
  private let file: String

  init() {
    let path = FuzzedReader.storageFolder
    mkdir(path, 0o700)
    folder = Array(path.utf8)
    file = path + "/previews.sqlite"
    unlink(file)
    try? PreviewFixture.append(PreviewFixture.recordCount, from: 0, in: folder)
    original = PreviewFixture.contents(of: file)
    checkPrecondition(original.count > 2_000, "no file was written to \(file)")
  }

  /// Replaces the file with the given bytes.
  func write(_ bytes: [UInt8]) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    checkPrecondition(Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "\(file) cannot be written")
    close(descriptor)
  }

  /// Reads the file with a new instance.
  func load() { _ = try? PreviewStore(directory: folder).load() }

  /// Reads the file with a new instance, and appends one preview.
  func loadAndAppend() { try? PreviewFixture.append(1, from: 1_000, in: folder) }

  private static func append(_ count: Int, from first: Int, in folder: [UInt8]) throws(StorageError) {
    let records = (first..<first + count).map { number in
      PreviewRecord(
        file: FileFingerprint(device: 1, inode: UInt64(number), byteCount: 2, modificationNanoseconds: 3),
        preview: PreviewPayload([UInt8(truncatingIfNeeded: number)]) ?? PreviewPayload())
    }
    let store = try PreviewStore(directory: folder)
    _ = store.load()
    try store.append(records)
  }

  private static func contents(of file: String) -> [UInt8] {
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
