import CVitrinePlatform
import Glibc
import Testing
import VitrineDecodingProtocol
import VitrineGeometry
import VitrineImageMetadata
import VitrineTestSupport

/// A decoding process that is started as the program starts it.
final class DecodingProcess {
  /// How a process ended.
  enum Termination: Hashable {
    case status(Int32)
    case signal(Int32)
  }

  let pid: pid_t
  let launch: DecodingLaunch
  /// The layers that confine the process, as it reported them when it was ready.
  private(set) var layers: SandboxLayers = []
  /// The formats that the process decodes, as it reported them when it was ready.
  private(set) var formats: [ImageFormat] = []
  private var socket: Int32
  private let slots: UnsafeMutableRawPointer
  private var termination: Termination?

  /// Starts a process and waits until it is ready.
  convenience init(slotCount: Int = 2, slotBytes: Int = 1 << 20) throws {
    // A system call that is not on the list ends the process, and thereby fails the test.
    let launch = try #require(DecodingLaunch(slotCount: slotCount, slotBytes: slotBytes, forbiddenCalls: .kill))
    try self.init(launch, arguments: launch.arguments)
    let greeting = try #require(receive())
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
      arguments: ["probe", "without", numbers, try Executable.path("vitrine-decode")] + launch.arguments.dropFirst(),
      executable: "ConfinementProbe")
    let greeting = try #require(receive())
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
    socket = ends[0]
    self.launch = launch
  }

  deinit {
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

  /// Sends a request and waits for its reply.
  func perform(_ request: DecodingRequest, file: Int32 = -1) -> DecodingReply? {
    withUnsafeBytes(of: request.words) { send($0, file: file) } ? receive() : nil
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
  func send(_ bytes: UnsafeRawBufferPointer, file: Int32 = -1) -> Bool {
    platform_send_record(socket, bytes.baseAddress, bytes.count, file) == bytes.count
  }

  /// Sends a request with any number of descriptors.
  func send(_ request: DecodingRequest, files: [Int32]) -> Bool {
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

  /// Returns the next reply, or nil at the end of the connection.
  ///
  /// A timeout fails the test, and also returns nil.
  func receive() -> DecodingReply? {
    let deadline = Deadline()
    var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&watched, 1, deadline.millisecondsLeft) <= 0 {
      guard deadline.hasPassed else { continue }
      Issue.record(WaitTimeoutError(event: "a reply of the decoding process"))
      return nil
    }
    var words = WireWords()
    var descriptor: Int32 = -1
    var truncated: Int32 = 0
    let count = withUnsafeMutableBytes(of: &words) { bytes in
      platform_receive_record(socket, bytes.baseAddress, bytes.count, &descriptor, &truncated)
    }
    #expect(descriptor == -1)
    return count == WireFormat.byteCount ? DecodingReply(words: words) : nil
  }

  /// Closes this end of the socket.
  func closeSocket() {
    if socket >= 0 { close(socket) }
    socket = -1
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
    termination = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
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
