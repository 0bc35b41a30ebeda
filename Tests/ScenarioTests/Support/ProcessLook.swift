import Foundation

/// What the kernel shows of a running process under `/proc`; looking wakes nobody.
struct ProcessLook {
  /// The process's number.
  let number: Int32

  /// What threads have done so far.
  struct Effort: Equatable {
    /// Threads, by number, with the times that each gave up its core by itself.
    var switches: [Int32: Int] = [:]
    /// Nanoseconds on a core, of all threads.
    var nanoseconds = 0
    /// Whether none runs or would like to.
    var isAsleep = true
  }

  /// Whether a signal is blocked in the first thread.
  func blocks(_ signal: Int32) -> Bool {
    guard let mask = field("SigBlk", in: "/proc/\(number)/status"), let bits = UInt64(mask, radix: 16) else {
      return false
    }
    return bits >> UInt64(signal - 1) & 1 == 1
  }

  /// Whether it has a file of this name open.
  func hasOpen(_ name: String) -> Bool {
    let folder = "/proc/\(number)/fd/"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains { descriptor in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + descriptor))?.hasSuffix("/" + name) == true
    }
  }

  /// Whether two of its sockets are connected with each other over TCP: it asks a server of its own.
  var isConnectedToItself: Bool {
    let folder = "/proc/\(number)/fd/"
    let own = Set(
      ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap {
        try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
      })
    let table = (try? String(contentsOfFile: "/proc/\(number)/net/tcp", encoding: .utf8)) ?? ""
    // Place, local and remote address, state, and more; the tenth is the socket's inode.
    let lines = table.split(separator: "\n").map { $0.split(separator: " ") }
    let connected = lines.filter { $0.count > 9 && $0[3] == "01" && own.contains("socket:[\($0[9])]") }
    let addresses = Set(connected.map { $0[1] })
    return connected.contains { addresses.contains($0[2]) }
  }

  /// Whether it has mapped memory of this name.
  func maps(_ name: String) -> Bool { text("/proc/\(number)/maps")?.contains(name) == true }

  /// The names of its threads.
  var threadNames: Set<String> {
    Set(threads.compactMap { text("/proc/\(number)/task/\($0)/comm")?.trimmingCharacters(in: .newlines) })
  }

  /// What its threads have done; nothing once it is gone.
  var effort: Effort? {
    var effort = Effort()
    for thread in threads {
      let folder = "/proc/\(number)/task/\(thread)"
      guard let switches = field("voluntary_ctxt_switches", in: folder + "/status").flatMap({ Int($0) }),
        let time = text(folder + "/schedstat")?.split(separator: " ").first.flatMap({ Int($0) })
      else { continue }
      effort.switches[thread] = switches
      effort.nanoseconds += time
      if field("State", in: folder + "/status")?.hasPrefix("S") != true { effort.isAsleep = false }
    }
    return effort.switches.isEmpty ? nil : effort
  }

  /// Its threads and those of its processes, with their states and how often each gave up its core: for messages.
  var activity: String {
    ([number] + children.sorted()).map { process in
      let look = ProcessLook(number: process)
      let lines = look.threads.map { thread in
        let status = "/proc/\(process)/task/\(thread)/status"
        let parts = ["Name", "State", "voluntary_ctxt_switches"].map { look.field($0, in: status) ?? "?" }
        return parts.joined(separator: " ")
      }
      return "\(process): " + lines.joined(separator: ", ")
    }
    .joined(separator: "; ")
  }

  /// The processes that it started and that are still there, dead ones left out.
  var children: Set<Int32> {
    var children: Set<Int32> = []
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      guard let process = Int32(name), let fields = ProcessLook(number: process).afterName, fields.count > 1 else {
        continue
      }
      if fields[0] != "Z", fields[0] != "X", Int32(fields[1]) == number { children.insert(process) }
    }
    return children
  }

  /// Whether it is still there and not dead.
  var isAlive: Bool { afterName.map { $0.first != "Z" && $0.first != "X" } ?? false }

  /// What `stat` says after the name, which may hold anything: state, parent and so on.
  private var afterName: [Substring]? {
    guard let text = text("/proc/\(number)/stat"), let bracket = text.lastIndex(of: ")") else { return nil }
    return text[text.index(after: bracket)...].split(separator: " ")
  }

  private var threads: [Int32] {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/task")) ?? []).compactMap { Int32($0) }
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
    // To its end: the table of connections is as long as the machine has connections.
    while case let count = fread(&bytes, 1, bytes.count, file), count > 0 { text += bytes[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
