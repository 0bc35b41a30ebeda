import Foundation

/// An inspector of a running process that reads `/proc`, which wakes no thread of the process.
struct ProcessInspector {
  /// The process ID.
  let processID: Int32

  /// The resource usage of threads.
  struct Usage: Equatable {
    /// The number of voluntary context switches by thread ID.
    var switches: [Int32: Int] = [:]
    /// The processor time of all threads, in nanoseconds.
    var nanoseconds = 0
    /// Whether every thread is in an interruptible sleep.
    var isAsleep = true
  }

  /// Returns whether the main thread blocks a signal.
  func blocks(_ signal: Int32) -> Bool {
    guard let mask = field("SigBlk", in: "/proc/\(processID)/status"), let bits = UInt64(mask, radix: 16) else {
      return false
    }
    return bits >> UInt64(signal - 1) & 1 == 1
  }

  /// Returns whether the process has a file with the given name open.
  func hasOpen(_ name: String) -> Bool {
    let folder = "/proc/\(processID)/fd/"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { descriptor in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + descriptor))?.hasSuffix("/" + name) == true
    }
  }

  /// Whether two sockets of the process are connected to each other over TCP: the process is a client of its own
  /// server.
  var isConnectedToItself: Bool {
    let folder = "/proc/\(processID)/fd/"
    let own = Set(
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
      })
    let table = text("/proc/\(processID)/net/tcp") ?? ""
    // The fields are the slot, the local and the remote address, the state and others. The tenth is the socket's inode.
    let lines = table.split(separator: "\n").map { $0.split(separator: " ") }
    let connected = lines.filter { $0.count > 9 && $0[3] == "01" && own.contains("socket:[\($0[9])]") }
    let addresses = Set(connected.map { $0[1] })
    return connected.contains { addresses.contains($0[2]) }
  }

  /// Returns whether the process maps memory with the given name.
  func maps(_ name: String) -> Bool { text("/proc/\(processID)/maps")?.contains(name) == true }

  /// The names of the threads.
  var threadNames: Set<String> {
    Set(threads.compactMap { text("/proc/\(processID)/task/\($0)/comm")?.trimmingCharacters(in: .newlines) })
  }

  /// The usage of the threads, or nil after the process has exited.
  var usage: Usage? {
    var usage = Usage()
    for thread in threads {
      let folder = "/proc/\(processID)/task/\(thread)"
      guard let switches = field("voluntary_ctxt_switches", in: folder + "/status").flatMap({ Int($0) }),
        let time = text(folder + "/schedstat")?.split(separator: " ").first.flatMap({ Int($0) })
      else { continue }
      usage.switches[thread] = switches
      usage.nanoseconds += time
      if field("State", in: folder + "/status")?.hasPrefix("S") != true { usage.isAsleep = false }
    }
    return usage.switches.isEmpty ? nil : usage
  }

  /// The threads of the process and its children with their states, context switches and processor time, for error
  /// messages.
  var activity: String {
    ([processID] + children.sorted()).map { process in
      let inspector = ProcessInspector(processID: process)
      let lines = inspector.threads.map { thread in
        let status = "/proc/\(process)/task/\(thread)/status"
        let parts = ["Name", "State", "voluntary_ctxt_switches"].map { inspector.field($0, in: status) ?? "?" }
        let time = inspector.text("/proc/\(process)/task/\(thread)/schedstat")?.split(separator: " ").first ?? "?"
        return parts.joined(separator: " ") + " \(time) ns"
      }
      return "\(process): " + lines.joined(separator: ", ")
    }
    .joined(separator: "; ")
  }

  /// The process IDs of the children, without zombies.
  var children: Set<Int32> {
    var children: Set<Int32> = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = Int32(name), let fields = ProcessInspector(processID: process).statusFields, fields.count > 1
      else {
        continue
      }
      if fields[0] != "Z", fields[0] != "X", Int32(fields[1]) == processID { children.insert(process) }
    }
    return children
  }

  /// Whether the process exists and is not a zombie.
  var isAlive: Bool { statusFields.map { $0.first != "Z" && $0.first != "X" } ?? false }

  /// The fields of `stat` after the name, which may contain any character: the state, the parent and others.
  private var statusFields: [Substring]? {
    guard let text = text("/proc/\(processID)/stat"), let bracket = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: bracket)...].split(separator: " ")
  }

  private var threads: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/task")) ?? []).compactMap { Int32($0) }
  }

  private func field(_ name: String, in path: String) -> String? {
    text(path)?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }

  private func text(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    // Reads to the end of the file: the table of TCP connections has no maximum length.
    while case let count = fread(&bytes, 1, bytes.count, file), count > 0 { text += bytes[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The output of `strace -f -y`: a line for each call, with the path of each descriptor.
struct SystemCallLog {
  /// A system call.
  struct Call {
    /// The line without the process ID.
    var line: Substring

    /// The name of the call.
    var name: Substring { line.prefix { $0 != "(" } }

    /// The part of the line that identifies the accessed files: the whole line, but of writes only the descriptor, not
    /// the data.
    var target: Substring {
      guard name.contains("write"), let comma = line.firstIndex(of: ",") else { return line }
      return line[..<comma]
    }

    /// Returns whether the call opens a file with the given name.
    func opens(_ file: String) -> Bool { name.hasPrefix("open") && line.contains("\(file)\"") }

    /// Whether the call opens a file only for reading, which is the only access to the user's files that tests accept.
    var isReadOnlyOpen: Bool {
      guard name == "open" || name == "openat" else { return false }
      return line.contains("O_RDONLY")
        && !["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"].contains { line.contains($0) }
    }
  }

  private let calls: [Call]

  /// Reads a log.
  ///
  /// An interrupted call has two lines, of which the first has its arguments. The second is ignored.
  init(path: String) throws {
    calls = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      Call(line: line.drop { $0.isNumber || $0 == " " })
    }.filter { !$0.line.hasPrefix("<... ") }
  }

  /// Returns the calls that access a path or something below it, by path or by descriptor.
  func calls(naming path: String) -> [Call] {
    calls.filter { call in ["/", "\"", ">"].contains { call.target.contains(path + $0) } }
  }
}
