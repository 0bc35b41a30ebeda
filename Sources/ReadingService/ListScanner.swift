package import VitrineReadingProtocol

/// A scanner that finds the entries of a list while its bytes arrive.
///
/// A list is a JSON object with an array `items`; other members are skipped. The scanner looks only at what separates
/// entries: strings, brackets and commas. Whether an entry is JSON is for the reader of entries to decide, so memory is
/// needed for one entry at a time.
///
/// It accepts any bytes and any division into parts.
package struct ListScanner {
  /// What the scanner expects next.
  private enum State {
    /// The bracket of the object; a byte order mark may precede it.
    case start
    /// A member's name, or the end of the object if it is empty.
    case firstName
    case name
    /// The characters of a name.
    case nameText
    case colon
    /// The first byte of a member's value.
    case value
    /// The rest of the value of a member that is skipped, and what follows it.
    case skipped
    /// What follows the array of entries.
    case afterItems
    /// The first byte of an entry, or the end of the array if it is empty.
    case firstEntry
    case entry
    /// The rest of an entry, and what follows it.
    case entryText
    /// The end of the object was read, and only white space may follow.
    case end
    /// The list has ended for another reason.
    case stopped(ListEnd.Ending)
  }

  /// The longest entry in bytes; longer ones are left out and counted.
  package static let maximumEntryBytes = 1 << 18
  /// The bytes of a name that are compared.
  private static let maximumNameBytes = 64
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
  private static let items = Array("items".utf8)

  private var state = State.start
  private var position = 0
  private var name: [UInt8] = []
  private var hasItems = false
  /// The number of open brackets within the current value.
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The bytes of the current entry.
  private var entry: [UInt8] = []
  private var isEntryTooLong = false

  /// The number of entries that were longer than the maximum.
  package private(set) var tooLongCount = 0

  /// Creates a scanner that expects the first byte.
  package init() {}

  /// Whether bytes that follow make no difference, because the list is invalid.
  package var isStopped: Bool {
    if case .stopped = state { true } else { false }
  }

  /// How the list ends if no bytes follow.
  package var ending: ListEnd.Ending {
    switch state {
    case .end: hasItems ? .complete : .noItems
    case .stopped(let ending): ending
    default: .notJSON
    }
  }

  /// Reads the next bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - onEntry: A closure called with the bytes of each entry that ends in them. It is called in the order of the list.
  /// - Complexity: O(*n*) in the number of bytes.
  package mutating func scan(_ bytes: UnsafeRawBufferPointer, onEntry: (_ entry: [UInt8]) -> Void) {
    for byte in bytes {
      scan(byte, onEntry)
      position += 1
      if isStopped { return }
    }
  }

  private mutating func scan(_ byte: UInt8, _ onEntry: (_ entry: [UInt8]) -> Void) {
    let isSpace = byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    switch state {
    case .start:
      if position < 3, byte == ListScanner.mark[position] || isSpace { return }
      switch byte {
      case _ where isSpace: break
      case UInt8(ascii: "{"): state = .firstName
      // Another value, if this is JSON at all.
      case UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
        state = .stopped(.noItems)
      default: state = .stopped(.notJSON)
      }
    case .firstName where byte == UInt8(ascii: "}"): state = .end
    case .firstName, .name:
      if byte == UInt8(ascii: "\"") {
        (state, name) = (.nameText, [])
      } else if !isSpace {
        state = .stopped(.notJSON)
      }
    case .nameText: scanName(byte)
    case .colon:
      if byte == UInt8(ascii: ":") { state = .value } else if !isSpace { state = .stopped(.notJSON) }
    case .value where isSpace: break
    case .value where name == ListScanner.items && !hasItems:
      if byte == UInt8(ascii: "[") {
        (state, hasItems) = (.firstEntry, true)
      } else {
        state = .stopped(.noItems)
      }
    case .value:
      state = .skipped
      startValue()
      scanValue(byte, closing: UInt8(ascii: "}"))
    case .skipped: scanValue(byte, closing: UInt8(ascii: "}"))
    case .afterItems:
      switch byte {
      case UInt8(ascii: ","): state = .name
      case UInt8(ascii: "}"): state = .end
      default: if !isSpace { state = .stopped(.notJSON) }
      }
    case .firstEntry where byte == UInt8(ascii: "]"): state = .afterItems
    case .firstEntry, .entry:
      if isSpace { return }
      state = .entryText
      startValue()
      scanEntry(byte, onEntry)
    case .entryText: scanEntry(byte, onEntry)
    case .end: if !isSpace { state = .stopped(.notJSON) }
    case .stopped: break
    }
  }

  private mutating func scanName(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      state = .colon
      return
    }
    if name.count < ListScanner.maximumNameBytes { name.append(byte) }
  }

  private mutating func startValue() { (depth, isInString, isEscaped) = (0, false, false) }

  /// Reads a byte of a value, or the one after it.
  ///
  /// - Returns: Whether the value has ended before the byte.
  private mutating func endsValue(_ byte: UInt8, closing: UInt8) -> Bool {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return false
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case closing where depth == 0, UInt8(ascii: ",") where depth == 0: return true
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      // The wrong bracket: the entry, with it, is no JSON.
      if depth == 0 { state = .stopped(.notJSON) } else { depth -= 1 }
    default: break
    }
    return false
  }

  private mutating func scanValue(_ byte: UInt8, closing: UInt8) {
    guard endsValue(byte, closing: closing) else { return }
    state = byte == closing ? .end : .name
  }

  private mutating func scanEntry(_ byte: UInt8, _ onEntry: (_ entry: [UInt8]) -> Void) {
    guard endsValue(byte, closing: UInt8(ascii: "]")) else {
      if entry.count < ListScanner.maximumEntryBytes {
        entry.append(byte)
      } else {
        isEntryTooLong = true
      }
      return
    }
    guard !entry.isEmpty else {
      state = .stopped(.notJSON)
      return
    }
    if isEntryTooLong { tooLongCount += 1 } else { onEntry(entry) }
    // A very long one keeps no memory.
    entry.removeAll(keepingCapacity: entry.count <= 1 << 12)
    isEntryTooLong = false
    state = byte == UInt8(ascii: "]") ? .afterItems : .entry
  }
}
