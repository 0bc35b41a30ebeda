import DataStructures
import Glibc
import ImagePipeline

/// A folder in memory with the small previews in it.
struct StorageScene {
  /// The previews in the log that is changed.
  static let records = 40

  /// The log as it was written.
  let untouched: [UInt8]
  private let folder: [UInt8]
  private let file: String

  init() {
    // Named by scripts/fuzz, which takes it away again.
    guard let given = getenv("VITRINE_FUZZ_FOLDER") else { misuse("VITRINE_FUZZ_FOLDER is to name a folder") }
    let path = String(cString: given)
    folder = Array(path.utf8)
    file = path + "/previews-1.log"
    unlink(file)
    for number in 0..<StorageScene.records / 4 { StorageScene.append(4, from: number * 4, in: folder) }
    untouched = StorageScene.content(of: file)
    demand(untouched.count > 2_000, "a log was to be written to \(file)")
  }

  /// Puts bytes in the log's place.
  func put(_ bytes: [UInt8]) {
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    demand(write(descriptor, bytes, bytes.count) == bytes.count, "\(file) cannot be written")
    close(descriptor)
  }

  /// How many previews a new instance reads.
  func loaded() -> Int {
    do throws(StorageError) {
      return try PreviewLog.open(directory: folder).load().count
    } catch {
      misuse("what is in a file is never an error: \(error)")
    }
  }

  /// Adds one as a new instance would.
  func append() { StorageScene.append(1, from: 1_000, in: folder) }

  private static func append(_ count: Int, from first: Int, in folder: [UInt8]) {
    let records = (first..<first + count).map { number in
      PreviewRecord(
        file: FileFingerprint(device: 1, inode: UInt64(number), byteCount: 2, modificationNanoseconds: 3),
        preview: PreviewPayload([UInt8(truncatingIfNeeded: number)]) ?? PreviewPayload())
    }
    do throws(StorageError) {
      try PreviewLog.open(directory: folder).append(records)
    } catch {
      misuse("what is in a file is never an error: \(error)")
    }
  }

  private static func content(of file: String) -> [UInt8] {
    let descriptor = open(file, O_RDONLY)
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
