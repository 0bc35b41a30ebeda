import Glibc
import Threads

/// A file of records that grows at its end, kept by one instance of the program or by several at once.
///
/// Every change is made while the file is held against the others, and after what they added was read. An instance that is
/// killed leaves at most a record that is cut off, which the next one takes away. What cannot be read at all, as another
/// version may have written it, is set aside under another name, and the log begins anew. Where the file may be read and
/// not written, it is read.
///
/// Safe from any thread; every call waits for the disk.
final class RecordLog: Sendable {
  private struct State {
    var file: StorageFile
    /// Where the records end that were handed over.
    var readEnd = RecordFormat.headerBytes
    /// Where the records end that are known to be whole.
    var end = RecordFormat.headerBytes
  }

  /// The bytes that are read at a time; more than the longest record.
  private static let readChunkBytes = 4 << 20

  private let folder: StorageFolder
  private let name: String
  private let format: RecordFormat
  private let state: Lock<State>

  /// Opens a log, and begins it where it is missing.
  ///
  /// - Parameters:
  ///   - name: the file's name in the folder.
  ///   - format: what the file must say that it holds.
  init(_ name: String, in folder: StorageFolder, format: RecordFormat) throws(StorageError) {
    self.folder = folder
    self.name = name
    self.format = format
    state = Lock(State(file: try RecordLog.open(name, in: folder, format)))
  }

  /// Whether records may be added.
  var isWritable: Bool { state.withLock { $0.file.isWritable } }

  /// The bytes that the log takes on disk.
  func byteCount() throws(StorageError) -> Int {
    try state.withLock { state throws(StorageError) in try state.file.status().byteCount }
  }

  /// Reads what was added since the last reading, by anybody.
  ///
  /// Where the file was replaced meanwhile, that is all of it.
  ///
  /// - Parameter body: takes each payload, in the order of adding; it lives no longer than the call.
  /// - Returns: how many records were damaged.
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

  /// Reads all of the log.
  ///
  /// - Parameter body: as ``readNew(_:)`` says.
  @discardableResult
  func readAll(_ body: (UnsafeRawBufferPointer) -> Void) throws(StorageError) -> Int {
    state.withLock { $0.readEnd = RecordFormat.headerBytes }
    return try readNewRecords(body)
  }

  /// Adds records; those that others added meanwhile are read by the next reading.
  ///
  /// - Parameter payloads: what they hold, each no longer than ``RecordFormat/longestPayload``.
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
          // What was written of it is cut off now, or by whoever reads it next.
          try? state.file.truncate(to: start)
          throw error
        }
        state.end = start + bytes.count
        if state.readEnd == start { state.readEnd = state.end }
      }
    }
  }

  /// Puts records in place of all that there are, at one stroke.
  ///
  /// - Parameter payloads: given what was added since the last reading: the new records.
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
        // One name: what a killed instance leaves behind is one file, which the next one takes.
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

  /// Holds the file that has the log's name now, whoever put it there.
  private func withCurrentFile<Result>(
    _ state: inout State, _ body: (inout State) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    try RecordLog.retry(name) { () throws(StorageError) in
      let file = state.file
      let result: Result? = try file.withLock(file.isWritable ? .exclusive : .shared) { () throws(StorageError) in
        // Not so where another has taken its name, or it was given another.
        guard try folder.fileID(of: name) == file.fileID() else { return nil }
        return try body(&state)
      }
      if result == nil { state = State(file: try RecordLog.open(name, in: folder, format)) }
      return result
    }
  }

  /// Does something until it comes to something, where others may come between each time; but not for ever.
  ///
  /// - Throws: what the body throws, and EAGAIN after sixteen times.
  static func retry<Result>(
    _ name: String, _ body: () throws(StorageError) -> Result?
  ) throws(StorageError) -> Result {
    for _ in 0..<maximumRetries { if let result = try body() { return result } }
    throw StorageError(.lock, name, code: EAGAIN)
  }

  /// More than there are instances that could come between.
  private static let maximumRetries = 16

  /// Reads whole records from a place on, and cuts off what follows them.
  private func scanRecords(
    _ state: inout State, from start: Int, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) -> Int {
    let size = try state.file.status().byteCount
    // Shorter than what was read is none of our doing: whatever there is now is read from its beginning.
    var end = start > size ? RecordFormat.headerBytes : start
    var damaged = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(0, min(RecordLog.readChunkBytes, size - end)), alignment: 16)
    defer { buffer.deallocate() }
    while end < size {
      let left = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, size - end)])
      let got = try state.file.read(from: end, into: left)
      let (count, ending) = RecordFormat.readRecords(UnsafeRawBufferPointer(rebasing: left[..<got]), at: end) {
        payload in
        if let payload { body(payload) } else { damaged += 1 }
      }
      let isLast = end + got == size
      end += count
      if ending == .unreadable || (ending == .cutOff && isLast) {
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
        // New, or left behind by an instance that was killed before it had written the header.
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
