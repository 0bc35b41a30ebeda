import DataStructures
import DecodingProtocol

/// Reads the bytes as a record of either direction between the program and a process that decodes; libFuzzer calls it
/// (`LLVMFuzzerTestOneInput`).
@c(LLVMFuzzerTestOneInput)
public func readRecord(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count >= Wire.byteCount else { return 0 }
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let words = bytes.loadUnaligned(as: WireWords.self)
  if let reply = DecodingReply(words: words) {
    demand(DecodingReply(words: reply.words) == reply, "an answer must survive being written again")
    _ = reply.formats
  }
  if let request = DecodingRequest(words: words) {
    demand(DecodingRequest(words: request.words) == request, "a request must survive being written again")
  }
  return 0
}
