import VitrineDataStructures
import VitrineDecodingProtocol
import VitrineImageMetadata
import VitrineReadingProtocol

/// Reads the bytes as each record of the decoding and reading protocols, in both directions, as the arguments of a decoding process, and
/// as texts of a PNG file.
func readRecord(_ start: UnsafePointer<UInt8>?, _ count: Int) {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  readTexts(bytes)
  readArguments(bytes)
  readAnswerOfReader(bytes)
  guard count >= WireFormat.byteCount else { return }
  readRequestToReader(bytes)
  let words = bytes.loadUnaligned(as: WireWords.self)
  if let reply = DecodingReply(words: words) {
    checkPrecondition(DecodingReply(words: reply.words) == reply, "a reply must be equal after encoding it again")
    _ = reply.formats
  }
  if let request = DecodingRequest(words: words) {
    checkPrecondition(
      DecodingRequest(words: request.words) == request, "a request must be equal after encoding it again")
  }
  if let request = PictureProcessRequest(words: words) {
    checkPrecondition(
      PictureProcessRequest(words: request.words) == request, "a request must be equal after encoding it again")
    checkPrecondition(DecodingRequest(words: words) == nil, "a record must not be two requests")
  }
  if let reply = PictureProcessReply(words: words) {
    checkPrecondition(PictureProcessReply(words: reply.words) == reply, "a reply must be equal after encoding it again")
    checkPrecondition((reply.process > 0) != (reply.error > 0), "a reply must have a process or an error")
  }
}

private func readAnswerOfReader(_ bytes: UnsafeRawBufferPointer) {
  _ = ReadingGreeting(bytes)
  guard bytes.count >= 4 else { return }
  let id = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
  if let reply = ReadingReply(bytes, id: id) {
    let copy = reply.bytes(id: id).withUnsafeBytes { ReadingReply($0, id: id) }
    checkPrecondition(copy == reply, "a reply must be equal after encoding it again")
    checkPrecondition(ListBatch(bytes, id: id) == nil, "a packet must not be a reply and a batch")
  }
  for operation in ReadingRequest.Operation.allCases {
    let request = ReadingRequest(operation, fileBytes: 4_096, id: id)
    guard let reply = ReadingReply(bytes, answering: request) else { continue }
    checkPrecondition(reply == ReadingReply(bytes, id: id), "a reply must be the same for each request that it answers")
    guard case .contents(let contents) = reply else { continue }
    checkPrecondition(
      (contents.texts == nil) != (operation == .texts) && operation != .list,
      "a reply must be of the kind of its request")
    checkPrecondition(
      contents.header?.embeddedThumbnail?.upperBound ?? 0 <= 4_096, "an embedded thumbnail must be within its file")
  }
  if let batch = ListBatch(bytes, id: id) {
    checkPrecondition(!batch.entries.isEmpty, "a batch must have entries")
    checkPrecondition(
      batch.entries.allSatisfy { $0.date.map(ListEntry.dates.contains) ?? true && $0.likes ?? 0 >= 0 },
      "an entry must have possible numbers")
    let copy = batch.bytes(id: id).withUnsafeBytes { ListBatch($0, id: id) }
    checkPrecondition(copy == batch, "a batch must be equal after encoding it again")
  }
}

private func readRequestToReader(_ bytes: UnsafeRawBufferPointer) {
  guard let request = ReadingRequest(words: bytes.loadUnaligned(as: WireWords.self)) else { return }
  checkPrecondition(
    ReadingRequest(words: request.words) == request, "a request must be equal after encoding it again")
}

private func readTexts(_ bytes: UnsafeRawBufferPointer) {
  guard let texts = PNGTexts(bytes) else { return }
  var copy = PNGTexts()
  for entry in texts.entries {
    // Both are in ASCII where they are written.
    guard (entry.keyword + entry.text).allSatisfy({ $0 < 0x80 }) else { return }
    copy.append(String(decoding: entry.keyword, as: UTF8.self), String(decoding: entry.text, as: UTF8.self))
  }
  checkPrecondition(copy == texts, "texts must be equal after encoding them again")
}

private func readArguments(_ bytes: UnsafeRawBufferPointer) {
  let arguments = bytes.split(separator: 0, omittingEmptySubsequences: false).map {
    String(decoding: $0, as: UTF8.self)
  }
  guard let launch = DecodingLaunch(arguments: arguments) else { return }
  checkPrecondition(
    DecodingLaunch(arguments: launch.arguments) == launch, "a launch must be equal after encoding it again")
  checkPrecondition(
    launch.interruptionOffset >= launch.slotCount * launch.slotBytes && launch.sharedBytes > launch.interruptionOffset,
    "the word must follow the slots")
}
