import CVitrinePlatform
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineTestSupport

/// A decoding process that is started as the program starts it, and the processes that it forks for pictures.
final class DecodingProcess {
  /// How a process ended.
  enum Termination: Hashable {
    case status(Int32)
    case signal(Int32)

    /// Creates a value from a status of waitpid.
    init(_ status: Int32) { self = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F) }
  }

  let pid: pid_t
  let launch: DecodingLaunch
  /// The layers that confine the process, as it reported them when it was ready.
  private(set) var layers: SandboxLayers = []
  /// The formats that the process decodes, as it reported them when it was ready.
  private(set) var formats: [ImageFormat] = []
  /// How the process of the last picture ended, and the most memory that it had, in kilobytes.
  private(set) var lastPicture: (termination: Termination, peakKilobytes: Int)?
  private var control: Int32
  private var picture: Picture?
  private let slots: UnsafeMutableRawPointer
  private var termination: Termination?

  /// The process of a picture.
  private struct Picture {
    let pid: pid_t
    let socket: Int32
  }

  /// The name of the program with the decoders of all formats.
  static let allDecoders = DecodingLaunch.executableName + "-all"

  /// Starts a process and waits until it is ready.
  ///
  /// - Parameter executable: The name of the program. Default: that of all formats.
  convenience init(
    slotCount: Int = 2, slotBytes: Int = 1 << 20, executable: String = DecodingProcess.allDecoders
  ) throws {
    // A system call that is not on the list ends the process, and thereby fails the test.
    let launch = try #require(DecodingLaunch(slotCount: slotCount, slotBytes: slotBytes, forbiddenCalls: .kill))
    try self.init(launch, arguments: launch.arguments, executable: executable)
    let greeting = try #require(receive(on: control))
    #expect(greeting.id == 0 && greeting.status == .ok)
    layers = greeting.layers
    formats = greeting.formats
  }

  /// Starts a process as on a kernel without some system calls, and waits until it is ready.
  convenience init(without calls: [Int]) throws {
    let launch = try #require(DecodingLaunch(slotCount: 1, slotBytes: 1 << 20))
    let numbers = calls.map(String.init).joined(separator: ",")
    try self.init(
      launch,
      arguments: ["probe", "without", numbers, try Executable.path(DecodingProcess.allDecoders)]
        + launch.arguments.dropFirst(),
      executable: "ConfinementProbe")
    let greeting = try #require(receive(on: control))
    layers = greeting.layers
    formats = greeting.formats
  }

  /// Starts a process with arbitrary arguments.
  init(
    _ launch: DecodingLaunch, arguments: [String], executable: String = DecodingLaunch.executableName
  ) throws {
    let path = try Executable.path(executable)
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let memory = platform_memfd("slots", launch.sharedBytes)
    try #require(memory >= 0)
    let mapped = mmap(nil, launch.sharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0)
    slots = try #require(mapped == MAP_FAILED ? nil : mapped)
    // Avoids the numbers that the descriptors have in the process.
    let high = [fcntl(ends[1], F_DUPFD_CLOEXEC, 100), fcntl(memory, F_DUPFD_CLOEXEC, 100)]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // The process must not inherit the output of this run, whose reader would wait for the end of the process.
    for standard in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, high[0], WireFormat.socketDescriptor)
    posix_spawn_file_actions_adddup2(&actions, high[1], WireFormat.slotsDescriptor)
    for other in WireFormat.slotsDescriptor + 1..<Int32(256) { posix_spawn_file_actions_addclose(&actions, other) }
    var words = arguments.map { strdup($0) } + [nil]
    // As in the program, a crash ends the process immediately.
    var environment = [
      strdup("SWIFT_BACKTRACE=enable=no"),
      getenv("LD_LIBRARY_PATH").map { strdup("LD_LIBRARY_PATH=" + String(cString: $0)) } ?? nil, nil,
    ]
    var child = pid_t()
    let status = posix_spawn(&child, path, &actions, nil, &words, &environment)
    posix_spawn_file_actions_destroy(&actions)
    for word in words + environment { free(word) }
    for descriptor in high + [ends[1], memory] { close(descriptor) }
    try #require(status == 0)
    pid = child
    control = ends[0]
    self.launch = launch
  }

  deinit {
    endPicture()
    closeSocket()
    _ = wait()
    munmap(slots, launch.sharedBytes)
  }

  /// Returns the bytes of a slot.
  func slot(_ index: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: slots + index * launch.slotBytes, count: launch.slotBytes)
  }

  /// Interrupts a request because its result is no longer needed.
  func interrupt(_ id: UInt32) {
    platform_write_shared_word((slots + launch.interruptionOffset).assumingMemoryBound(to: UInt32.self), id)
  }

  /// Sends a request to the process of a new picture, or the next of an animation, and waits for its reply.
  func perform(_ request: DecodingRequest, file: Int32 = -1) -> DecodingReply? {
    let isNext = request.operation == .animate && file < 0 && picture != nil
    let isSent = withUnsafeBytes(of: request.words) { send($0, file: file, toNewPicture: !isNext) }
    return isSent ? receive() : nil
  }

  /// Decodes a file in memory.
  func decode(
    _ file: [UInt8], width: Int, height: Int, slot: UInt32 = 0, fit: DecodingRequest.Fit = .fill, background: UInt32 = 0
  ) throws -> DecodingReply? {
    let descriptor = try DecodingProcess.file(file)
    defer { close(descriptor) }
    return try decode(
      descriptor, fileBytes: file.count, width: width, height: height, slot: slot, fit: fit, background: background)
  }

  /// Decodes an open file.
  func decode(
    _ descriptor: Int32, fileBytes: Int, width: Int, height: Int, slot: UInt32 = 0, fit: DecodingRequest.Fit = .fill,
    background: UInt32 = 0
  ) throws -> DecodingReply? {
    let request = DecodingRequest(
      id: 7, operation: .decode, slot: slot, size: try #require(.init(width: width, height: height)), fit: fit,
      background: background, fileBytes: UInt64(fileBytes))
    return perform(request, file: descriptor)
  }

  /// Sends arbitrary bytes.
  func send(_ bytes: UnsafeRawBufferPointer, file: Int32 = -1, toNewPicture isNew: Bool = true) -> Bool {
    if isNew { startPicture() }
    return picture.map { platform_send_record($0.socket, bytes.baseAddress, bytes.count, file) == bytes.count } ?? false
  }

  /// Has the process of a picture forked; a failure fails the test.
  private func startPicture() {
    endPicture()
    var ends: [Int32] = [-1, -1]
    let isPair = socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    let isSent = withUnsafeBytes(of: PictureProcessRequest(id: 5).words) {
      platform_send_record(control, $0.baseAddress, $0.count, ends[1]) == $0.count
    }
    close(ends[1])
    #expect(isPair && isSent)
    var descriptor: Int32 = -1
    guard let reply = receiveWords(on: control, &descriptor).flatMap({ PictureProcessReply(words: $0) }) else {
      Issue.record("no process was forked")
      return
    }
    #expect(reply.id == 5 && reply.process > 0 && descriptor == -1)
    picture = Picture(pid: reply.process, socket: ends[0])
  }

  /// Closes the socket to the process of a picture, and waits for its end.
  @discardableResult
  func endPicture() -> Termination? {
    guard let picture else { return nil }
    self.picture = nil
    close(picture.socket)
    var status: Int32 = 0
    var used = rusage()
    do {
      try Deadline().wait(for: "the end of the process of a picture") {
        wait4(picture.pid, &status, WNOHANG, &used) == 0 ? nil : ()
      }
    } catch {
      Issue.record(error)
      kill(picture.pid, SIGKILL)
      while waitpid(picture.pid, &status, 0) < 0, errno == EINTR {}
    }
    let termination = Termination(status)
    lastPicture = (termination, used.ru_maxrss)
    return termination
  }

  /// Sends a request with any number of descriptors.
  func send(_ request: DecodingRequest, files: [Int32]) -> Bool {
    startPicture()
    guard let socket = picture?.socket else { return false }
    // A `cmsghdr`: its length, level and type, followed by the descriptors.
    let headerBytes = 16
    let rights: Int32 = 1
    let words =
      [Int32(headerBytes + files.count * 4), 0, SOL_SOCKET, rights] + files + (files.count % 2 == 1 ? [0] : [])
    return words.withUnsafeBytes { control in
      withUnsafeBytes(of: request.words) { bytes in
        var part = iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return withUnsafeMutablePointer(to: &part) { part in
          var message = msghdr()
          message.msg_iov = part
          message.msg_iovlen = 1
          message.msg_control = UnsafeMutableRawPointer(mutating: control.baseAddress)
          message.msg_controllen = control.count
          return sendmsg(socket, &message, Int32(MSG_NOSIGNAL)) == bytes.count
        }
      }
    }
  }

  /// Returns the number of open descriptors of the process, or nil if only the superuser may read it.
  func openDescriptors() -> Int? {
    guard let folder = opendir("/proc/\(pid)/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }

  /// Returns the next reply of the process of the picture, or nil at the end of the connection.
  ///
  /// A timeout fails the test, and also returns nil.
  func receive() -> DecodingReply? { picture.flatMap { receive(on: $0.socket) } }

  private func receive(on socket: Int32) -> DecodingReply? {
    var descriptor: Int32 = -1
    let words = receiveWords(on: socket, &descriptor)
    #expect(descriptor == -1)
    return words.flatMap { DecodingReply(words: $0) }
  }

  private func receiveWords(on socket: Int32, _ descriptor: inout Int32) -> WireWords? {
    let deadline = Deadline()
    var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&watched, 1, deadline.millisecondsLeft) <= 0 {
      guard deadline.hasPassed else { continue }
      Issue.record(WaitTimeoutError(event: "a reply of the decoding process"))
      return nil
    }
    var words = WireWords()
    var truncated: Int32 = 0
    let count = withUnsafeMutableBytes(of: &words) { bytes in
      platform_receive_record(socket, bytes.baseAddress, bytes.count, &descriptor, &truncated)
    }
    return count == WireFormat.byteCount ? words : nil
  }

  /// Closes this end of the socket.
  func closeSocket() {
    if control >= 0 { close(control) }
    control = -1
  }

  /// Waits for the end of the process.
  ///
  /// A timeout fails the test, and kills the process.
  func wait() -> Termination? {
    if let termination { return termination }
    var status: Int32 = 0
    do {
      try Deadline().wait(for: "the end of the decoding process") { waitpid(pid, &status, WNOHANG) == 0 ? nil : () }
    } catch {
      Issue.record(error)
      kill(pid, SIGKILL)
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
    termination = Termination(status)
    return termination
  }

  /// Returns the value of a field in a file of the process under /proc, or nil if there is none.
  func procField(_ file: String, _ name: String) -> String? {
    guard let stream = fopen("/proc/\(pid)/\(file)", "re") else { return nil }
    defer { fclose(stream) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, Int32(line.count), stream) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix(name) {
        return text.dropFirst(name.count).split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
    }
    return nil
  }

  /// The list of the process's mapped files under /proc, empty if only the superuser may read it.
  var maps: String {
    guard let stream = fopen("/proc/\(pid)/maps", "re") else { return "" }
    defer { fclose(stream) }
    var (text, line) = ("", [CChar](repeating: 0, count: 4096))
    while fgets(&line, Int32(line.count), stream) != nil {
      text += String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return text
  }

  /// Creates a file in memory.
  static func file(_ bytes: [UInt8]) throws -> Int32 {
    let descriptor = platform_memfd("picture", bytes.count)
    try #require(descriptor >= 0)
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    try #require(written == bytes.count)
    return descriptor
  }
}

// MARK: - Executables

/// Executables that the package builds next to the tests.
enum Executable {
  /// Returns the path of an executable in the folder of the tests, or in one above it.
  static func path(_ name: String) throws -> String {
    var path = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &path, path.count)
    var parts = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .split(separator: "/")
    while !parts.isEmpty {
      parts.removeLast()
      let candidate = "/" + (parts + [Substring(name)]).joined(separator: "/")
      if access(candidate, X_OK) == 0 { return candidate }
    }
    return try #require(nil, "\(name) was not built")
  }
}
