/// The words of a command line that are still to be read.
struct OptionWords {
  private var rest: ArraySlice<String>

  init(_ words: [String]) { rest = words[...] }

  /// The next word, or nothing at the end.
  mutating func next() -> String? { rest.popFirst() }

  /// The values of an option that takes several, separated by commas.
  mutating func list<Element>(
    of name: String, _ accepted: String, _ read: (String) -> Element?
  ) throws(CommandError) -> [Element] {
    guard let text = rest.popFirst() else { throw CommandError("\(name) needs a value: \(accepted)") }
    var elements: [Element] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = read(String(word)) else { throw CommandError("\(name) \(text): accepted are \(accepted)") }
      elements.append(element)
    }
    return elements
  }

  /// Whole numbers within bounds.
  mutating func numbers(of name: String, in range: ClosedRange<Int>) throws(CommandError) -> [Int] {
    try list(of: name, "whole numbers from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// One whole number within bounds.
  mutating func number(of name: String, in range: ClosedRange<Int>) throws(CommandError) -> Int {
    let numbers = try numbers(of: name, in: range)
    guard let number = numbers.first, numbers.count == 1 else { throw CommandError("\(name) takes one number") }
    return number
  }

  /// One of several words.
  mutating func one<Value>(
    of name: String, _ accepted: [String], _ read: (String) -> Value?
  ) throws(CommandError) -> Value {
    let values = try list(of: name, accepted.joined(separator: ", "), read)
    guard let value = values.first, values.count == 1 else { throw CommandError("\(name) takes one word") }
    return value
  }

  /// A path.
  mutating func path(of name: String) throws(CommandError) -> String {
    guard let path = rest.popFirst(), !path.isEmpty else { throw CommandError("\(name) needs a path") }
    return path
  }

  /// Types of identifiers.
  mutating func kinds(of name: String) throws(CommandError) -> [IdentifierKind] {
    let accepted = IdentifierKind.allCases.map(\.rawValue).joined(separator: ", ")
    return try list(of: name, accepted, IdentifierKind.init(rawValue:))
  }

  /// How often something is run.
  mutating func repeats(of name: String) throws(CommandError) -> Int {
    let counts = try list(of: name, "a whole number from 1 to 1000") { text in
      Int(text).flatMap { (1...1_000).contains($0) ? $0 : nil }
    }
    guard let count = counts.first, counts.count == 1 else { throw CommandError("\(name) takes one number") }
    return count
  }
}
