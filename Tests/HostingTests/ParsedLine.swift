import Testing

@testable import Hosting

/// A command line of words, as a shell would hand it over.
func parse(_ words: String...) throws(UsageError) -> OptionTable<HostingOptions>.Parsed {
  try OptionTable(HostingOptions.table).parse(words.map { Array($0.utf8) }, into: HostingOptions())
}

/// The line that a command line is refused with; nothing where it is not.
func refusal(_ words: String...) -> String? {
  do throws(UsageError) {
    _ = try OptionTable(HostingOptions.table).parse(words.map { Array($0.utf8) }, into: HostingOptions())
    return nil
  } catch {
    return error.description
  }
}
