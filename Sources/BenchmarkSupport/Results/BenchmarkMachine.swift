/// What a run was made on, as far as its times depend on it.
public struct BenchmarkMachine: Hashable, Codable, Sendable {
  /// The processor's name.
  public let processor: String
  /// The cores that the program may use.
  public let cores: Int

  /// Makes a machine.
  public init(processor: String, cores: Int) { (self.processor, self.cores) = (processor, cores) }

  /// Reads what the kernel says in `/proc/cpuinfo`.
  ///
  /// - Parameters:
  ///   - text: the file's text.
  ///   - cores: the cores that the program may use.
  public init(cpuinfo text: String, cores: Int) {
    // 64-bit ARM has no name there, and numbers in its place.
    let names = ["model name", "Model", "CPU part"]
    let lines = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1).map(BenchmarkMachine.trimmed) }
    let name = names.lazy.compactMap { name in lines.first { $0.count == 2 && $0[0] == name }?[1] }.first
    self.init(processor: name ?? "unknown", cores: cores)
  }

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
