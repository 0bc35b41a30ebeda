/// What callgrind counted in one stretch: instructions, and how often each function was called.
public struct CallgrindProfile: Hashable, Sendable {
  /// Instructions.
  public private(set) var instructions = 0.0
  /// By the number of the function that calls, shifted by 32 bits, and of the one that is called.
  private var calls: [Int: Int] = [:]
  private var names: [Int: String] = [:]

  /// Reads a profile's text; nothing where it has no summary.
  ///
  /// The summary is what was counted since costs were set to zero. The total of the functions, which stands at the end, may
  /// have a rest in it of those that were running then.
  ///
  /// - Complexity: O(c) for c characters.
  public init?(_ text: String) {
    guard let profile = Array(text.utf8).withUnsafeBytes({ CallgrindProfile($0) }) else { return nil }
    self = profile
  }

  /// Reads a profile's bytes; nothing where it has no summary.
  ///
  /// - Complexity: O(c) for c bytes.
  public init?(_ bytes: UnsafeRawBufferPointer) {
    var (total, caller, callee): (Double?, Int, Int) = (nil, 0, 0)
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      // A name is written out once, behind its number, and is meant by the number from there on.
      if line.starts(with: "fn=".utf8) {
        caller = takeName(line.dropFirst(3))
      } else if line.starts(with: "cfn=".utf8) {
        callee = takeName(line.dropFirst(4))
      } else if line.starts(with: "calls=".utf8) {
        calls[caller << 32 | callee, default: 0] += CallgrindProfile.number(line.dropFirst(6))
      } else if line.starts(with: "summary: ".utf8) {
        total = Double(CallgrindProfile.number(line.dropFirst(9)))
      }
    }
    guard let total else { return nil }
    instructions = total
  }

  /// How often functions of a kind were called.
  ///
  /// A program may have an allocator of its own before the C library's, which it calls: that is one call.
  public func count(of kind: RuntimeCall) -> Int {
    let functions = kind.functions
    func isOne(_ number: Int) -> Bool { names[number].map { functions.contains($0) } == true }
    return calls.reduce(0) { sum, entry in
      guard isOne(entry.key & 0xFFFF_FFFF), kind != .allocation || !isOne(entry.key >> 32) else { return sum }
      return sum + entry.value
    }
  }

  /// Reads a name's number, and the name where it is written out.
  private mutating func takeName(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    let number = CallgrindProfile.number(text.dropFirst())
    guard let end = text.firstIndex(of: UInt8(ascii: ")")), end + 2 < text.endIndex else { return number }
    // Calls within a call of the same function are told apart by a mark and a depth.
    names[number] = String(decoding: text[(end + 2)...].prefix { $0 != UInt8(ascii: "'") }, as: UTF8.self)
    return number
  }

  /// The digits that a text begins with.
  private static func number(_ text: Slice<UnsafeRawBufferPointer>) -> Int {
    var number = 0
    for digit in text {
      guard digit >= 0x30, digit <= 0x39, number < 1 << 56 else { break }
      number = number * 10 + Int(digit - 0x30)
    }
    return number
  }
}
