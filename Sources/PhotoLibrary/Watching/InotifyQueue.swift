import Glibc

/// The system's queue of events in watched folders; the only file that calls inotify.
///
/// Watching opens no file, and does not keep a file system from being unmounted.
struct InotifyQueue: ~Copyable {
  /// The number of a watched folder.
  typealias WatchNumber = Int32

  /// An event of the queue.
  enum Event: Hashable, Sendable {
    /// Something happened to a name in a folder.
    case entry(WatchNumber, FolderEvent, name: [UInt8], isFolder: Bool)
    /// A folder was deleted or moved, or its file system was unmounted.
    case folderGone(WatchNumber, wasUnmounted: Bool)
    /// The folder is not watched any more.
    case ended(WatchNumber)
    /// Events were lost, because the queue was full.
    case overflow
  }

  private let descriptor: FileDescriptor
  private static let events = UInt32(
    IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_DELETE_SELF
      | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)
  private static let bufferBytes = 64 << 10

  /// Creates a queue.
  ///
  /// The C function is `inotify_init1`.
  ///
  /// - Throws: ``FileError`` with EMFILE if the user has too many queues.
  init() throws(FileError) {
    let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard number >= 0 else { throw FileError(.watch, code: errno) }
    descriptor = FileDescriptor(adopting: number)
  }

  /// The descriptor, which is readable while events are waiting.
  var number: Int32 { descriptor.number }

  /// Starts to watch a folder.
  ///
  /// The C function is `inotify_add_watch`.
  ///
  /// - Returns: The folder's number, which is that of an earlier call if it is the same folder.
  /// - Throws: ``FileError`` with ENOSPC if the user watches too many folders.
  func watch(_ folder: PhotoPath) throws(FileError) -> WatchNumber {
    let number = inotify_add_watch(descriptor.number, folder.bytes.asCString, InotifyQueue.events)
    guard number >= 0 else { throw FileError(.watch, code: errno) }
    return number
  }

  /// Starts to watch whether a folder itself is moved or deleted, in addition to what is watched of it already.
  ///
  /// The C function is `inotify_add_watch`.
  ///
  /// - Returns: The folder's number.
  /// - Throws: ``FileError`` if the folder may not be read, or if the user watches too many folders.
  func watchMove(of folder: PhotoPath) throws(FileError) -> WatchNumber {
    let events = UInt32(IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR | IN_MASK_ADD)
    let number = inotify_add_watch(descriptor.number, folder.bytes.asCString, events)
    guard number >= 0 else { throw FileError(.watch, code: errno) }
    return number
  }

  /// Stops watching a folder, after which ``Event/ended(_:)`` follows.
  ///
  /// The C function is `inotify_rm_watch`.
  func unwatch(_ number: WatchNumber) { inotify_rm_watch(descriptor.number, number) }

  /// Takes the waiting events, at most those of one buffer.
  ///
  /// The C function is `read`.
  func takeEvents() -> [Event] {
    withUnsafeTemporaryAllocation(byteCount: InotifyQueue.bufferBytes, alignment: 8) { buffer in
      let count = read(descriptor.number, buffer.baseAddress, buffer.count)
      return count > 0 ? InotifyQueue.events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) : []
    }
  }

  private static func events(in buffer: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    let headerBytes = MemoryLayout<inotify_event>.size
    var start = 0
    while start + headerBytes <= buffer.count {
      let header = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
      let end = start + headerBytes + Int(header.len)
      guard end <= buffer.count else { break }
      // The name is padded with zeros.
      let name = Array(buffer[(start + headerBytes)..<end].prefix { $0 != 0 })
      if let event = event(header.wd, header.mask, name) { events.append(event) }
      start = end
    }
    return events
  }

  private static func event(_ number: WatchNumber, _ mask: UInt32, _ name: [UInt8]) -> Event? {
    func has(_ flag: Int32) -> Bool { mask & UInt32(bitPattern: flag) != 0 }
    if has(Int32(IN_Q_OVERFLOW)) { return .overflow }
    if has(Int32(IN_UNMOUNT)) { return .folderGone(number, wasUnmounted: true) }
    if has(Int32(IN_IGNORED)) { return .ended(number) }
    if has(Int32(IN_DELETE_SELF)) || has(Int32(IN_MOVE_SELF)) { return .folderGone(number, wasUnmounted: false) }
    // The attributes of the folder itself have no name.
    guard !name.isEmpty else { return nil }
    let isFolder = has(Int32(bitPattern: UInt32(IN_ISDIR)))
    let event: FolderEvent
    if has(Int32(IN_DELETE)) || has(Int32(IN_MOVED_FROM)) {
      event = .removed
    } else if has(Int32(IN_CLOSE_WRITE)) || has(Int32(IN_MOVED_TO)) || has(Int32(IN_ATTRIB)) {
      event = .completed
    } else if has(Int32(IN_CREATE)) {
      event = isFolder ? .completed : .created
    } else {
      event = .modified
    }
    return .entry(number, event, name: name, isFolder: isFolder)
  }
}
