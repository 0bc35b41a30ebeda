import Glibc
import ImagePipeline
import Rendering
import Threads

/// An append-only file of records, shared by any number of instances of the program.
///
/// Every change is made while the file is locked, after reading the records that other instances have added. An
/// instance that is killed leaves at most a truncated record, which the next one removes. A file that cannot be read at
/// all, such as one of another version, is renamed, and the log starts again. A read-only file can still be read.
///
/// The log is thread-safe; every call waits for the disk.
final class RecordLog: Sendable {
  private struct State {
    var file: StorageFile
    /// The end of the records passed to the caller.
    var readEnd = RecordFormat.headerBytes
    /// The end of the records known to be complete.
    var end = RecordFormat.headerBytes
  }

  /// The size of a read in bytes, larger than the longest record.
  private static let readChunkBytes = 4 << 20

  private let folder: StorageFolder
  private let name: String
  private let format: RecordFormat
  private let state: Lock<State>

  /// Opens a log, or creates it.
  ///
  /// - Parameters:
  ///   - name: The name of the file in the folder.
  ///   - format: The required format of the file.
  init(_ name: String, in folder: StorageFolder, format: RecordFormat) throws(StorageError) {
    self.folder = folder
    self.name = name
    self.format = format
    state = Lock(State(file: try RecordLog.open(name, in: folder, format)))
  }

  /// Whether records can be added.
  var isWritable: Bool { state.withLock { $0.file.isWritable } }

  /// Returns the size of the log on disk in bytes.
  func byteCount() throws(StorageError) -> Int {
    try state.withLock { state throws(StorageError) in try state.file.status().byteCount }
  }

  // MARK: - Reading

  /// Reads the records added since the last read by any instance; all records if the file was replaced.
  ///
  /// - Parameter body: A closure called with each payload, in order. The buffer is valid during the call only.
  /// - Returns: The number of damaged records.
  @discardableResult
  func readNewRecords(_ body: (UnsafeRawBufferPointer) -> Void) throws(StorageError) -> Int {
    try state.withLock { state throws(StorageError) in
      try withCurrentFile(&state) { state throws(StorageError) in
        let damaged = try scanRecords(&state, from: state.readEnd, body)
        state.readEnd = state.end
        return damaged
      }
    }
  }

  /// Reads all records.
  ///
  /// - Parameter body: A closure called as for ``readNewRecords(_:)``.
  @discardableResult
  func readAll(_ body: (UnsafeRawBufferPointer) -> Void) throws(StorageError) -> Int {
    state.withLock { $0.readEnd = RecordFormat.headerBytes }
    return try readNewRecords(body)
  }

  // MARK: - Writing

  /// Appends records.
  ///
  /// Records that other instances added meanwhile are returned by the next read.
  ///
  /// - Parameter payloads: The payloads, each no longer than ``RecordFormat/longestPayload``.
  func append(_ payloads: [[UInt8]]) throws(StorageError) {
    try state.withLock { state throws(StorageError) in
      guard state.file.isWritable else { throw StorageError(.write, name, code: EACCES) }
      try withCurrentFile(&state) { state throws(StorageError) in
        _ = try scanRecords(&state, from: state.end) { _ in }
        let start = state.end
        var bytes: [UInt8] = []
        for payload in payloads {
          payload.withUnsafeBytes { RecordFormat.appendRecord($0, at: start + bytes.count, to: &bytes) }
        }
        do throws(StorageError) {
          try state.file.write(bytes, at: start)
        } catch {
          // The partial write is removed now, or by the next reader.
          try? state.file.truncate(to: start)
          throw error
        }
        state.end = start + bytes.count
        if state.readEnd == start { state.readEnd = state.end }
      }
    }
  }

  /// Replaces all records atomically.
  ///
  /// - Parameter payloads: A closure that receives the payloads added since the last read and returns all new payloads.
  func replace(_ payloads: (_ others: [[UInt8]]) -> [[UInt8]]) throws(StorageError) {
    try state.withLock { state throws(StorageError) in
      guard state.file.isWritable else { throw StorageError(.write, name, code: EACCES) }
      state = try withCurrentFile(&state) { state throws(StorageError) in
        var others: [[UInt8]] = []
        _ = try scanRecords(&state, from: state.readEnd) { others.append(Array($0)) }
        var bytes = format.header
        for payload in payloads(others) {
          payload.withUnsafeBytes { RecordFormat.appendRecord($0, at: bytes.count, to: &bytes) }
        }
        // A fixed name, so that killed instances leave at most one file behind, which the next one reuses.
        let temporary = name + ".new"
        let file = try folder.createOrTruncate(temporary)
        do throws(StorageError) {
          try file.write(bytes, at: 0)
          try folder.rename(temporary, to: name)
        } catch {
          folder.remove(temporary)
          throw error
        }
        return State(file: file, readEnd: bytes.count, end: bytes.count)
      }
    }
  }

  // MARK: - File access

  /// Locks the file that currently has the log's name.
  private func withCurrentFile<Result>(
    _ state: inout State, _ body: (inout State) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try RecordLog.retry(name) { () throws(StorageError) in
      let file = state.file
      let result: Result? = try file.withLock(file.isWritable ? .exclusive : .shared) { () throws(StorageError) in
        // The file may have been replaced or renamed.
        guard try folder.fileID(of: name) == file.fileID() else { return nil }
        return try body(&state)
      }
      if result == nil { state = State(file: try RecordLog.open(name, in: folder, format)) }
      return result
    }
  }

  /// Repeats an operation that other instances may interfere with until it returns a value.
  ///
  /// - Throws: The errors of the closure, and EAGAIN after sixteen attempts.
  static func retry<Result>(
    _ name: String, _ body: () throws(StorageError) -> Result?
  ) throws(StorageError) -> Result {
    for _ in 0..<maximumRetries { if let result = try body() { return result } }
    throw StorageError(.lock, name, code: EAGAIN)
  }

  /// More than the number of instances that could interfere.
  private static let maximumRetries = 16

  /// Reads complete records from an offset, and truncates what follows them.
  private func scanRecords(
    _ state: inout State, from start: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let size = try state.file.status().byteCount
    // Another program has shortened the file, so its content is read from the beginning.
    var end = start > size ? RecordFormat.headerBytes : start
    var damaged = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(0, min(RecordLog.readChunkBytes, size - end)), alignment: 16)
    defer { buffer.deallocate() }
    while end < size {
      let left = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, size - end)])
      let got = try state.file.read(from: end, into: left)
      let (count, stopReason) = RecordFormat.readRecords(UnsafeRawBufferPointer(rebasing: left[..<got]), at: end) {
        payload in
        if let payload { body(payload) } else { damaged += 1 }
      }
      let isLast = end + got == size
      end += count
      if stopReason == .unreadable || (stopReason == .cutOff && isLast) {
        if state.file.isWritable { try state.file.truncate(to: end) }
        break
      }
      if count == 0 { break }
    }
    state.end = end
    return damaged
  }

  private static func open(
    _ name: String, in folder: StorageFolder, _ format: RecordFormat
  ) throws(StorageError) -> StorageFile {
    try retry(name) { () throws(StorageError) in
      let file = try folder.open(name)
      let isReady = try file.withLock(file.isWritable ? .exclusive : .shared) { () throws(StorageError) in
        let status = try file.status()
        guard try folder.fileID(of: name) == file.fileID() else { return false }
        if try hasHeader(file, format) { return true }
        guard file.isWritable else { throw StorageError(.read, name, code: EILSEQ) }
        guard status.byteCount < RecordFormat.headerBytes else {
          try folder.rename(name, to: name + ".unreadable")
          return false
        }
        // New, or left behind by an instance that was killed before writing the header.
        try file.write(format.header, at: 0)
        return true
      }
      return isReady ? file : nil
    }
  }

  private static func hasHeader(_ file: StorageFile, _ format: RecordFormat) throws(StorageError) -> Bool {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: RecordFormat.headerBytes, alignment: 8)
    defer { buffer.deallocate() }
    let got = try file.read(from: 0, into: buffer)
    return got == buffer.count && format.matchesHeader(UnsafeRawBufferPointer(buffer))
  }
}

// MARK: - Format

/// The binary format of a log; reading it is a pure function that accepts any bytes.
///
/// A header of 32 bytes identifies the program, the format, the kind of content and its layout. It is followed by
/// records: the length, a checksum of the length, a digest of the payload and its offset, the payload, and zeros up to
/// a multiple of 8. Thus an incomplete record is recognised, a damaged payload loses only its record, and a damaged
/// length loses everything after it. Numbers are little-endian.
struct RecordFormat: Hashable, Sendable {
  /// The reason why reading stopped.
  enum StopReason: Hashable {
    /// The bytes end after a complete record.
    case complete
    /// The bytes end within a record.
    case cutOff
    /// The following bytes are no record.
    case unreadable
  }

  /// The size of the header in bytes.
  static let headerBytes = 32
  /// The number of bytes before a payload.
  static let frameBytes = 16
  /// The maximum length of a payload in bytes, which limits the memory of readers.
  static let longestPayload = 1 << 20

  private static let magic: UInt64 = 0x0A47_4F4C_5254_4956  // "VITRLOG\n"
  private static let version: UInt32 = 1

  /// The kind of content.
  var kind: UInt32
  /// The version of the payloads' layout.
  var layout: UInt32

  /// The bytes of the header.
  var header: [UInt8] {
    var bytes: [UInt8] = []
    for word in headerWords { withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) } }
    return bytes
  }

  private var headerWords: [UInt64] {
    let words = [
      RecordFormat.magic, UInt64(RecordFormat.version) << 32 | UInt64(kind), UInt64(layout),
    ]
    var digest = ContentDigest()
    for word in words { digest.combine(word) }
    return words + [digest.value]
  }

  /// Returns whether bytes begin with this format's header.
  func matchesHeader(_ bytes: UnsafeRawBufferPointer) -> Bool { bytes.starts(with: header) }

  /// Returns the size of a record with a payload of the given length, in bytes.
  static func recordBytes(payload count: Int) -> Int { frameBytes + (count + 7) & ~7 }

  /// Appends a record to a buffer.
  ///
  /// - Parameters:
  ///   - payload: The payload.
  ///   - offset: The offset of the record in the file.
  ///   - bytes: The buffer.
  static func appendRecord(_ payload: UnsafeRawBufferPointer, at offset: Int, to bytes: inout [UInt8]) {
    bytes.reserveCapacity(bytes.count + recordBytes(payload: payload.count))
    let length = UInt32(truncatingIfNeeded: payload.count)
    withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: lengthChecksum(length, at: offset).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: digest(payload, at: offset).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: payload)
    while bytes.count % 8 != 0 { bytes.append(0) }
  }

  /// Passes the payloads of complete records to a closure.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the file, starting after the header or a record.
  ///   - offset: The offset of the first byte in the file.
  ///   - body: A closure called with each payload, or nil for a damaged one.
  /// - Returns: The number of bytes read as records, and the reason to stop.
  static func readRecords(
    _ bytes: UnsafeRawBufferPointer, at offset: Int, _ body: (UnsafeRawBufferPointer?) -> Void
  ) -> (count: Int, stopReason: StopReason) {
    var done = 0
    while done < bytes.count {
      guard done + frameBytes <= bytes.count else { return (done, .cutOff) }
      let length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: done, as: UInt32.self))
      let found = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: done + 4, as: UInt32.self))
      guard length <= longestPayload, found == lengthChecksum(length, at: offset + done) else {
        return (done, .unreadable)
      }
      let end = done + recordBytes(payload: Int(length))
      guard end <= bytes.count else { return (done, .cutOff) }
      let payload = UnsafeRawBufferPointer(rebasing: bytes[(done + frameBytes)..<(done + frameBytes + Int(length))])
      let expected = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: done + 8, as: UInt64.self))
      body(expected == digest(payload, at: offset + done) ? payload : nil)
      done = end
    }
    return (done, .complete)
  }

  private static func lengthChecksum(_ length: UInt32, at offset: Int) -> UInt32 {
    var digest = ContentDigest()
    digest.combine(UInt64(length))
    digest.combine(UInt64(offset))
    return UInt32(truncatingIfNeeded: digest.value >> 32)
  }

  private static func digest(_ payload: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    var digest = ContentDigest()
    digest.combine(UInt64(offset))
    digest.combine(bytes: payload)
    return digest.value
  }
}
