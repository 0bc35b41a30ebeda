import Glibc

/// The counts of one callgrind profile: instructions, and the number of calls of each function.
public struct CallgrindProfile: Hashable, Sendable {
  /// The number of instructions.
  public private(set) var instructions = 0.0
  /// The number of calls by caller and callee: the caller's number shifted by 32 bits, combined with the callee's
  /// number.
  private var calls: [Int: Int] = [:]
  private var names: [Int: String] = [:]

  /// Parses the text of a profile, or returns nil if it has no summary.
  ///
  /// The summary covers what was counted since the counters were last reset. The total at the end may also include
  /// earlier costs of functions that were running at the reset.
  ///
  /// - Complexity: O(c) for c characters.
  public init?(_ text: String) {
    guard let profile = Array(text.utf8).withUnsafeBytes({ CallgrindProfile($0) }) else { return nil }
    self = profile
  }

  /// Parses the bytes of a profile, or returns nil if it has no summary.
  ///
  /// - Complexity: O(c) for c bytes.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    var (total, caller, callee): (Double?, Int, Int) = (nil, 0, 0)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // A name is spelled out once, after its number; later lines use only the number.
      if line.starts(with: "fn=".utf8) {
        caller = readName(line.dropFirst(3))
      } else if line.starts(with: "cfn=".utf8) {
        callee = readName(line.dropFirst(4))
      } else if line.starts(with: "calls=".utf8) {
        calls[caller << 32 | callee, default: 0] += CallgrindProfile.number(line.dropFirst(6))
      } else if line.starts(with: "summary: ".utf8) {
        total = Double(CallgrindProfile.number(line.dropFirst(9)))
      }
    }
    guard let total else { return nil }
    instructions = total
  }

  /// Returns the number of calls of the functions of a kind.
  ///
  /// An allocator that the program puts in front of the C library's allocator calls the latter. Such a pair counts as
  /// one call.
  public func count(of kind: RuntimeCall) -> Int {
    let functions = kind.functions
    func isOne(_ number: Int) -> Bool { names[number].map { functions.contains($0) } == true }
    return calls.reduce(0) { sum, entry in
      guard isOne(entry.key & 0xFFFF_FFFF), kind != .allocation || !isOne(entry.key >> 32) else { return sum }
      return sum + entry.value
    }
  }

  /// Parses the number of a name, and records the name if it is spelled out.
  private mutating func readName(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    let number = CallgrindProfile.number(text.dropFirst())
    guard let end = text.firstIndex(of: UInt8(ascii: ")")), end + 2 < text.endIndex else { return number }
    // Recursive calls are marked with an apostrophe and a depth.
    names[number] = String(decoding: text[(end + 2)...].prefix { $0 != UInt8(ascii: "'") }, as: UTF8.self)
    return number
  }

  /// Returns the number formed by the leading digits of a text.
  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    var number = 0
    for digit in text {
      guard digit >= 0x30, digit <= 0x39, number < 1 << 56 else { break }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }
}

/// The runtime calls that a steady-state frame, in which no cell enters, should avoid.
public enum RuntimeCall: CaseIterable, Hashable, Sendable {
  /// A memory allocation.
  case allocation
  /// An increment of a reference count.
  case retain
  /// A decrement of a reference count.
  case release

  /// The word in the names of figures.
  public var key: String {
    switch self {
    case .allocation: "allocations"
    case .retain: "retains"
    case .release: "releases"
    }
  }

  /// The functions of the C library and of the Swift runtime.
  ///
  /// Functions that only call another one of them are excluded.
  var functions: [String] {
    switch self {
    case .allocation: ["malloc", "calloc", "realloc", "aligned_alloc", "memalign", "posix_memalign"]
    case .retain: ["swift_retain", "swift_retain_n", "swift_weakLoadStrong", "swift_unownedRetainStrong"]
    case .release: ["swift_release", "swift_release_n"]
    }
  }
}

/// The cost of the phases of a frame from update to upload.
public struct FrameCost: Hashable, Sendable {
  /// The thread's processor time, in nanoseconds, or 0 under an instrument that makes times meaningless.
  public var nanoseconds: Double
  /// The number of instructions outside the kernel, or nil if they were not counted.
  public var instructions: Double?
  /// The number of calls by kind, in the order of `RuntimeCall.allCases`, or nil if they were not counted.
  public var calls: [Int]?

  /// Creates a cost.
  public init(nanoseconds: Double, instructions: Double? = nil, calls: [Int]? = nil) {
    self.nanoseconds = nanoseconds
    self.instructions = instructions
    self.calls = calls
  }

  /// Creates a cost from a callgrind profile.
  public init(_ profile: CallgrindProfile) {
    self.init(
      nanoseconds: 0, instructions: profile.instructions,
      calls: RuntimeCall.allCases.map { profile.count(of: $0) })
  }
}

// MARK: - Text of instruments

/// Parsing of numbers in the text that instruments produce: files under `/proc`, and callgrind profiles.
public enum InstrumentText {
  /// Returns the number of bytes in a line such as `VmHWM:   12 kB`, or nil if there is no such line.
  ///
  /// - Complexity: O(c) for c characters.
  public static func bytes(of name: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") {
      let words = line.split { $0 == " " || $0 == "\t" }
      guard words.count == 3, words[0] == name + ":", words[2] == "kB" else { continue }
      return Int(words[1]).map { $0 * 1_024 }
    }
    return nil
  }

  /// Returns the number in the `totals:` line of a callgrind profile, or nil if there is no such line.
  ///
  /// - Complexity: O(c) for c characters.
  public static func callgrindTotal(in text: String) -> Double? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 2, words[0] == "totals:" { return Double(words[1]) }
    }
    return nil
  }
}

/// Parsing of strace output about opened files.
public enum OpenedFiles {
  /// Returns the number of successful calls of `open`, `openat` and `openat2`.
  ///
  /// - Parameter text: One line per call, such as `openat(AT_FDCWD, "/etc/fonts", O_RDONLY) = 3`, optionally prefixed
  ///   with a process number or a time.
  /// - Complexity: O(c) for c characters.
  public static func count(in text: String) -> Int {
    text.split(separator: "\n").count { line in
      let calls = ["open(", "openat(", "openat2("]
      guard line.split(separator: " ").contains(where: { word in calls.contains { word.hasPrefix($0) } }),
        let result = line.lastIndex(of: "=")
      else { return false }
      // A failed call returns -1. A call interrupted by another thread's line has its result in its second line.
      return line[line.index(after: result)...].drop { $0 == " " }.first?.isNumber == true
    }
  }
}

// MARK: - Processes

/// The processor time of this process and of its children.
public enum ProcessTime {
  /// The user and system time of all threads so far, in nanoseconds.
  ///
  /// Uses `clock_gettime` with `CLOCK_PROCESS_CPUTIME_ID`.
  public static var now: Int {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return 0 }
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }

  /// The user and system time of all child processes that have ended, in nanoseconds.
  ///
  /// Uses `getrusage` with `RUSAGE_CHILDREN`.
  public static var ofChildren: Int {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + Int($1.tv_sec) * 1_000_000_000 + Int($1.tv_usec) * 1_000
    }
  }
}

/// A child process whose output is captured.
public enum ShellCommand {
  /// Runs a program and returns its output, or nil if it could not be started or failed.
  ///
  /// Uses `popen` and `pclose`.
  ///
  /// - Parameter words: The program's path and its arguments.
  public static func output(_ words: [String]) -> String? {
    guard let pipe = popen(words.map(quoted).joined(separator: " "), "r") else { return nil }
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4_096)
    while true {
      let got = fread(&piece, 1, piece.count, pipe)
      guard got > 0 else { break }
      text += piece[..<got]
    }
    return pclose(pipe) == 0 ? String(decoding: text, as: UTF8.self) : nil
  }

  /// Returns a word quoted for the shell.
  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

/// The program's output, unbuffered so that tables appear while they grow.
public enum Output {
  /// Writes a line to standard output.
  public static func line(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  /// Writes text to a file descriptor and drops what a closed pipe rejects.
  public static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else { return }
      rest.removeFirst(written)
    }
  }
}
