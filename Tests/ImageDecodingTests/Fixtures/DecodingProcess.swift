import CPlatform
import DecodingProtocol
import Geometry
import Glibc
import ImageMetadata
import TestSupport
import Testing

/// A decoding process, started as the program starts it.
final class DecodingProcess {
  /// How a process ended.
  enum Ending: Hashable {
    case status(Int32)
    case signal(Int32)
  }

  let pid: pid_t
  let launch: DecodingLaunch
  /// What confines it, as it said when it was ready.
  private(set) var layers: SandboxLayers = []
  /// The formats that it decodes, as it said.
  private(set) var formats: [ImageFormat] = []
  private var socket: Int32
  private let slots: UnsafeMutableRawPointer
  private var ending: Ending?

  /// Starts a process and waits until it is ready.
  convenience init(slotCount: Int = 2, slotBytes: Int = 1 << 20) throws {
    // A call that the list lacks ends the process, and so the test.
    let launch = try #require(DecodingLaunch(slotCount: slotCount, slotBytes: slotBytes, forbiddenCalls: .kill))
    try self.init(launch, arguments: launch.arguments)
    let greeting = try #require(receive())
    #expect(greeting.id == 0 && greeting.status == .ok)
    layers = greeting.layers
    formats = greeting.formats
  }

  /// Starts a process that believes itself on a kernel without some system calls, and waits until it is ready.
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

  /// Starts a process with any arguments.
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
    // Away from the numbers that they are to have in the process.
    let high = [fcntl(ends[1], F_DUPFD_CLOEXEC, 100), fcntl(memory, F_DUPFD_CLOEXEC, 100)]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    // Nothing of what reads this run's output, which would wait for its end.
    for standard in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", standard == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, high[0], WireFormat.socketDescriptor)
    posix_spawn_file_actions_adddup2(&actions, high[1], WireFormat.slotsDescriptor)
    for other in WireFormat.slotsDescriptor + 1..<Int32(256) { posix_spawn_file_actions_addclose(&actions, other) }
    var words = arguments.map { strdup($0) } + [nil]
    // As the program has it: a crash ends the process at once.
    var surroundings = [
      strdup("SWIFT_BACKTRACE=enable=no"),
      getenv("LD_LIBRARY_PATH").map { strdup("LD_LIBRARY_PATH=" + String(cString: $0)) } ?? nil, nil,
    ]
    var child = pid_t()
    let status = posix_spawn(&child, path, &actions, nil, &words, &surroundings)
    posix_spawn_file_actions_destroy(&actions)
    for word in words + surroundings { free(word) }
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

  /// A slot's bytes.
  func slot(_ index: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: slots + index * launch.slotBytes, count: launch.slotBytes)
  }

  /// Says that nobody waits for a request any more.
  func interrupt(_ id: UInt32) {
    platform_write_shared_word((slots + launch.interruptionOffset).assumingMemoryBound(to: UInt32.self), id)
  }

  /// Sends a request and waits for its reply.
  func ask(_ request: DecodingRequest, file: Int32 = -1) -> DecodingReply? {
    withUnsafeBytes(of: request.words) { send($0, file: file) } ? receive() : nil
  }

  /// Asks for a file that lies in memory.
  func decode(
    _ file: [UInt8], width: Int, height: Int, slot: UInt32 = 0, fit: DecodingRequest.Fit = .fill, background: UInt32 = 0
  ) throws -> DecodingReply? {
    let descriptor = try DecodingProcess.file(file)
    defer { close(descriptor) }
    return try decode(
      descriptor, fileBytes: file.count, width: width, height: height, slot: slot, fit: fit, background: background)
  }

  /// Asks for an open file.
  func decode(
    _ descriptor: Int32, fileBytes: Int, width: Int, height: Int, slot: UInt32 = 0, fit: DecodingRequest.Fit = .fill,
    background: UInt32 = 0
  ) throws -> DecodingReply? {
    let request = DecodingRequest(
      id: 7, operation: .decode, slot: slot, size: try #require(.init(width: width, height: height)), fit: fit,
      background: background, fileBytes: UInt64(fileBytes))
    return ask(request, file: descriptor)
  }

  /// Sends any bytes.
  func send(_ bytes: UnsafeRawBufferPointer, file: Int32 = -1) -> Bool {
    platform_send_record(socket, bytes.baseAddress, bytes.count, file) == bytes.count
  }

  /// Sends a request with any number of descriptors beside it.
  func send(_ request: DecodingRequest, files: [Int32]) -> Bool {
    // A `cmsghdr` by hand: its length, level and type, and the descriptors.
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

  /// How many descriptors the process has open; nothing where only the superuser may look.
  func openDescriptors() -> Int? {
    guard let folder = opendir("/proc/\(pid)/fd") else { return nil }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }

  /// The next reply; nothing at the end, or where none comes in time, which is a failure of the test.
  func receive() -> DecodingReply? {
    let deadline = Deadline()
    var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while poll(&watched, 1, deadline.millisecondsLeft) <= 0 {
      guard deadline.hasPassed else { continue }
      Issue.record(WaitTimeoutError(what: "a reply of the decoding process"))
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

  /// Closes our end of the socket.
  func closeSocket() {
    if socket >= 0 { close(socket) }
    socket = -1
  }

  /// Waits for the end; nothing where it does not come in time, which is a failure of the test.
  func wait() -> Ending? {
    if let ending { return ending }
    var status: Int32 = 0
    do {
      try Deadline().wait(for: "the end of the decoding process") { waitpid(pid, &status, WNOHANG) == 0 ? nil : () }
    } catch {
      Issue.record(error)
      kill(pid, SIGKILL)
      while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }
    ending = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
    return ending
  }

  /// A line of a file under /proc, without its name.
  func fact(_ file: String, _ name: String) -> String? {
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

  /// A file in memory.
  static func file(_ bytes: [UInt8]) throws -> Int32 {
    let descriptor = platform_memfd("picture", bytes.count)
    try #require(descriptor >= 0)
    let written = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    try #require(written == bytes.count)
    return descriptor
  }
}
