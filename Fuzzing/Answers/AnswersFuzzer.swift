import VitrineDataStructures
import VitrineDecodingProtocol

/// Decodes the bytes as a record of the decoding protocol, in both directions.
///
/// libFuzzer calls this function as `LLVMFuzzerTestOneInput`.
@c(LLVMFuzzerTestOneInput)
public func readRecord(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count >= WireFormat.byteCount else { return 0 }
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  let words = bytes.loadUnaligned(as: WireWords.self)
  if let reply = DecodingReply(words: words) {
    checkPrecondition(DecodingReply(words: reply.words) == reply, "a reply must be equal after encoding it again")
    _ = reply.formats
  }
  if let request = DecodingRequest(words: words) {
    checkPrecondition(
      DecodingRequest(words: request.words) == request, "a request must be equal after encoding it again")
  }
  return 0
}
