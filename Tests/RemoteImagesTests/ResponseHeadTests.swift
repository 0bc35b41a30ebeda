import Testing
@testable import VitrineRemoteImages
import VitrineTestSupport

@Suite("Server responses")
struct ResponseHeadTests {
  private func head(_ lines: [String]) -> ResponseHead? {
    var head = ResponseHead()
    for line in lines {
      guard Array((line + "\r\n").utf8).withUnsafeBytes({ head.parse(line: $0) }) else { return nil }
    }
    return head
  }

  @Test("A response head is parsed with field names in any case")
  func parsing() throws {
    let head = try #require(
      self.head([
        "HTTP/1.1 200 OK", "ETag: \"a-1\"", "last-modified:Sun, 06 Nov 1994 08:49:37 GMT", "CONTENT-LENGTH:  12 ",
        "Content-Encoding: gzip", "Cache-Control: private, No-Store", "", "",
      ]))
    #expect(head.status == 200 && head.isComplete && head.contentLength == 12 && head.isEncoded && head.forbidsStoring)
    #expect(head.validator == RemoteValidator(eTag: "\"a-1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT"))
    #expect(head.validator.headerLines == ["If-None-Match: \"a-1\""])
  }

  @Test("Lines without a colon and unknown fields are ignored, and a new status line starts again")
  func otherLines() throws {
    let head = try #require(
      self.head([
        "HTTP/1.1 301 Moved", "Retry-After: 3", "HTTP/1.1 200 OK", "nonsense", "X: y", "Location: /b ", "ETag: \u{7F}",
        "Content-Encoding: Identity", "Content-Length: many", "Cache-Control: private", "",
      ]))
    #expect(head.status == 200 && head.location == "/b" && head.validator.isEmpty && head.retrySeconds(now: 0) == nil)
    #expect(!head.isEncoded && head.contentLength == nil && !head.forbidsStoring)
  }

  @Test("A validator is sent back as it came, and distinguishes what is stored")
  func validators() {
    let validators = [
      RemoteValidator(eTag: "\"a\"", lastModified: "b"), RemoteValidator(lastModified: "b"), RemoteValidator(),
    ]
    #expect(validators.map(\.isEmpty) == [false, false, true])
    #expect(validators.map(\.headerLines) == [["If-None-Match: \"a\""], ["If-Modified-Since: b"], []])
    let versions = validators.flatMap { validator in
      [(1, 1), (1, 2), (2, 1)].map { validator.version(byteCount: $0, fallback: $1) }
    }
    // The fallback makes a difference only without a validator.
    #expect(Set(versions).count == 2 + 2 + 3)
    #expect(RemoteValidator.sanitized(String(repeating: "a", count: 256)) != nil)
    for text in ["", "a\nb", "é", String(repeating: "a", count: 257)] {
      #expect(RemoteValidator.sanitized(text) == nil)
    }
  }

  @Test("Informational responses are skipped")
  func informational() throws {
    let first = try #require(head(["HTTP/1.1 103 Early Hints", "Location: /x", ""]))
    #expect(!first.isComplete)
    let second = try #require(head(["HTTP/1.1 100 Continue", "ETag: x", "", "HTTP/2 404", "Content-Length: -1", ""]))
    #expect(second.isComplete && second.status == 404 && second.validator.isEmpty && second.contentLength == nil)
  }

  @Test(
    "A malformed head is rejected",
    arguments: [["GIF89a"], ["HTTP/1.1"], ["HTTP/1.1 20 OK"], ["HTTP/1.1 999 OK"], [""], ["HTTP/1.1 2x0 OK"], ["a: b"]])
  func malformed(lines: [String]) { #expect(head(lines) == nil) }

  @Test("An endless head is rejected")
  func endless() {
    var announced = ResponseHead()
    let line = Array("HTTP/1.1 100 Continue\r\n".utf8)
    var count = 0
    while line.withUnsafeBytes({ announced.parse(line: $0) }) { count += 1 }
    #expect(count < ResponseHead.maximumBytes / line.count + 1)
  }

  @Test("The retry time is given in seconds, or as a date by the server's clock or ours")
  func retryAfter() throws {
    func seconds(_ fields: String..., now: Int = 0) throws -> Int? {
      try #require(head(["HTTP/1.1 503 Busy"] + fields + [""])).retrySeconds(now: now)
    }
    #expect(try seconds() == nil && seconds("Retry-After: 7") == 7 && seconds("Retry-After: -7") == nil)
    #expect(try seconds("Retry-After: soon") == nil && seconds("Retry-After: 99999999999") == 86_400)
    let date = "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(try seconds(date, "Date: Sun, 06 Nov 1994 08:49:27 GMT", now: 5) == 10)
    #expect(try seconds(date, now: 784_111_777 - 3) == 3 && seconds(date, now: 784_111_777 + 3) == 0)
  }

  @Test("Dates are counted from 1970, including leap years")
  func dates() {
    #expect(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT") == 0)
    #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
    #expect(HTTPDate.seconds("Thu, 29 Feb 2024 12:00:00 GMT") == 1_709_208_000)
    #expect(HTTPDate.seconds("Tue, 01 Mar 2100 00:00:00 GMT") == 4_107_542_400)
    #expect(HTTPDate.seconds("Sunday, 06-Nov-94 08:49:37 GMT") == 784_111_777, "the obsolete format")
    for text in ["", "soon", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 32 Nov 1994 08:49:37 GMT"] {
      #expect(HTTPDate.seconds(text) == nil, "\(text)")
    }
  }

  @Test("The kind of a body is detected from its first bytes")
  func kinds() {
    let gzip: [UInt8] = [0x1F, 0x8B, 8, 0, 0]
    #expect(
      ResponseBodyKind([]) == .empty && ResponseBodyKind(gzip) == .compressed
        && ResponseBodyKind([0xFF, 0xD8, 0xFF, 0xE0]) == .picture)
    #expect(
      ResponseBodyKind(Array("\u{FEFF} \n<!DOCTYPE html>".utf8)) == .webPage
        && ResponseBodyKind(Array("  {\"a\"".utf8)) == .json)
    #expect(ResponseBodyKind(Array("hello".utf8)) == .text && ResponseBodyKind([0, 1, 2, 3]) == .unknown)
    #expect(ResponseBodyKind(Array(" [".utf8)) == .json && ResponseBodyKind([0x41, 0x1B, 0x0E]) == .unknown)
    #expect(ResponseBodyKind([0x41, 0x1B]) == .text)
    #expect(Set(ResponseBodyKind.allCases.map(\.name)).count == ResponseBodyKind.allCases.count)
  }

  @Test("Bodies are checked in chunks of any size", arguments: [1, 7, 512, 4_096])
  func bodyCheck(chunk: Int) {
    func check(_ bytes: [UInt8], _ kind: RemoteKind = .picture, maximum: Int = 4_096) -> (
      failure: RemoteFailure?, count: Int
    ) {
      var bodyCheck = ResponseBodyCheck(kind: kind, maximumBytes: maximum)
      for start in stride(from: 0, to: bytes.count, by: chunk) {
        let failure = bytes[start..<min(bytes.count, start + chunk)].withUnsafeBytes { bodyCheck.checkBytes($0) }
        if let failure { return (failure, start) }
      }
      return (bodyCheck.finish(), bytes.count)
    }
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 4_000)
    #expect(check(picture).failure == nil)
    #expect(check(Array(picture.prefix(5))).failure == nil, "a short body is checked at its end")
    #expect(check(picture, .manifest).failure == .unexpected(.picture, expected: .manifest))
    #expect(check(picture + picture, maximum: 4_096).failure == .tooLarge(limit: 4_096))
    let page = Array("<html>".utf8) + [UInt8](repeating: 0x20, count: 4_000)
    let result = check(page)
    #expect(result.failure == .unexpected(.webPage, expected: .picture) && result.count <= 512)
    #expect(check([]).failure == .unexpected(.empty, expected: .picture))
    #expect(check(Array("[1]".utf8), .manifest).failure == nil)
  }

  @Test("Every failure has a short caption and a longer description")
  func descriptions() {
    let all: [RemoteFailure] = [
      .badAddress, .unknownHost, .unreachable, .untrusted("x"), .timedOut, .stalled, .connectionLost,
      .malformedResponse, .notFound,
      .forbidden, .busy(retrySeconds: 3), .busy(retrySeconds: nil), .refused(status: 418), .tooLarge(limit: 1 << 20),
      .unexpected(.webPage, expected: .picture), .tooManyRedirects, .redirectOutside, .redirectUnsecured,
      .privateAddress,
      .cannotStore(28), .transport(1), .shutDown, .libraryMissing,
    ]
    #expect(Set(all.map(\.caption)).count == all.count - 1 && Set(all.map(\.description)).count == all.count)
    #expect(all.allSatisfy { $0.caption.count <= 32 && $0.description.count > $0.caption.count })
    #expect(all.allSatisfy { !$0.isRetryable || $0.isTransient || $0 == .refused(status: 408) })
  }
}
