/// A way of running that one option chooses, and in which only some of the others have a meaning.
///
/// An option that would have no effect is refused, so that no file is asked for in vain.
public struct RunMode: Sendable {
  /// The option that chooses it.
  public let option: String
  /// What the program does then, such as "prints the version".
  public let purpose: String
  /// The other options that have a meaning then.
  public let accepted: Set<String>

  /// Makes a mode.
  public nonisolated init(_ option: String, _ purpose: String, accepting accepted: Set<String> = []) {
    self.option = option
    self.purpose = purpose
    self.accepted = accepted
  }

  /// Refuses the options that have no meaning in the mode of a command line; without a mode, all have one.
  ///
  /// Beside `--help` and `--version` any option may stand: they are appended to lines that are being written.
  ///
  /// - Parameters:
  ///   - modes: the program's modes; the first of which the option is given holds.
  ///   - given: the options of the command line.
  /// - Throws: ``UsageError`` naming the option, the mode and what is accepted with it.
  public nonisolated static func validate(_ given: [ParsedOption], modes: [RunMode]) throws(UsageError) {
    guard !given.contains(where: { ["--help", "--version"].contains($0.name) }) else { return }
    guard let mode = modes.first(where: { mode in given.contains { $0.name == mode.option } }),
      let other = given.first(where: { $0.name != mode.option && !mode.accepted.contains($0.name) })
    else { return }
    let accepted = mode.accepted.sorted().joined(separator: ", ")
    throw UsageError(
      "\(other.name) cannot be used with \(mode.option), which \(mode.purpose); accepted with it "
        + (accepted.isEmpty ? "is no other option" : "are \(accepted)"))
  }
}
