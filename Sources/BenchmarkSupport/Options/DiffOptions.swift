/// How differences are to be measured.
public struct DiffOptions: Hashable, Sendable {
  /// Items of a snapshot, one block of the table each.
  public var sizes = [1_000, 10_000, 100_000, 1_000_000, 10_000_000]
  /// The identifiers to measure with.
  public var kinds = IdentifierKind.allCases
  /// Runs of each case.
  public var repeats = 7
  /// Where callgrind, under which the program runs, writes its profiles; nothing where it does not.
  public var callgrindOutput: String?

  /// Reads the options behind the benchmark's name.
  ///
  /// - Throws: ``CommandError`` naming the first that is not understood.
  public init(_ arguments: [String]) throws(CommandError) {
    if arguments.contains("--quick") {
      sizes = [1_000, 100_000, 1_000_000]
      repeats = 3
    }
    if arguments.contains("--callgrind") {
      sizes = [1_000, 10_000]
      repeats = 1
    }
    var rest = arguments[...]
    while let name = rest.popFirst() {
      switch name {
      case "--quick", "--instructions": break
      case "--n":
        sizes = try Self.list(&rest, of: name, "whole numbers from 2 to 100000000") { text in
          Int(text).flatMap { (2...100_000_000).contains($0) ? $0 : nil }
        }
      case "--ids":
        let accepted = IdentifierKind.allCases.map(\.rawValue).joined(separator: ", ")
        kinds = try Self.list(&rest, of: name, accepted, IdentifierKind.init(rawValue:))
      case "--repeat":
        let counts = try Self.list(&rest, of: name, "a whole number from 1 to 1000") { text in
          Int(text).flatMap { (1...1_000).contains($0) ? $0 : nil }
        }
        guard let count = counts.first, counts.count == 1 else { throw CommandError("--repeat takes one number") }
        repeats = count
      case "--callgrind":
        guard let output = rest.popFirst(), !output.isEmpty else { throw CommandError("--callgrind needs a path") }
        callgrindOutput = output
      default: throw CommandError("unknown option \(name); --help lists them")
      }
    }
  }

  private static func list<Element>(
    _ rest: inout ArraySlice<String>, of name: String, _ accepted: String, _ read: (String) -> Element?
  ) throws(CommandError) -> [Element] {
    guard let text = rest.popFirst() else { throw CommandError("\(name) needs a value: \(accepted)") }
    var elements: [Element] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = read(String(word)) else { throw CommandError("\(name) \(text): accepted are \(accepted)") }
      elements.append(element)
    }
    return elements
  }
}
