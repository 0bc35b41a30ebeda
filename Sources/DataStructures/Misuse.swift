/// Stops the program with a sentence that names the caller's mistake.
///
/// The one place that may stop it: an optimised `precondition` prints nothing, and a caller who reads nothing cannot
/// mend the call. Never for bad input, which is an error or a state of its item.
public func failPrecondition(_ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line)
  -> Never
{
  fatalError(sentence(), file: file, line: line)
}

/// Stops the program through ``misuse(_:file:line:)`` unless a condition of the call holds, in debug and release alike.
@inline(__always)
public func checkPrecondition(
  _ condition: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition() { failPrecondition(sentence(), file: file, line: line) }
}
