/// Stops the program with a message that describes the caller's mistake.
///
/// Only this function may stop the program. It replaces `preconditionFailure`, which prints no message in optimized
/// builds. Never use it for bad input, which is an error or a state of its item.
///
/// - Parameters:
///   - sentence: The message: the mistake and, if it is not obvious, its correction. Evaluated only here.
///   - file: The caller's file. Default: the file of the call.
///   - line: The caller's line. Default: the line of the call.
public func failPrecondition(_ sentence: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line)
  -> Never
{
  // The one place that stops the program, so that every message names the caller's line.
  fatalError(sentence(), file: file, line: line)
}

/// Stops the program with a message unless a condition holds, in debug and release builds alike.
///
/// - Parameters:
///   - condition: What the caller must ensure.
///   - sentence: The message: the mistake and, if it is not obvious, its correction. Evaluated only on failure.
///   - file: The caller's file. Default: the file of the call.
///   - line: The caller's line. Default: the line of the call.
@inline(__always)
public func checkPrecondition(
  _ condition: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String, file: StaticString = #fileID,
  line: UInt = #line
) {
  if !condition() { failPrecondition(sentence(), file: file, line: line) }
}
