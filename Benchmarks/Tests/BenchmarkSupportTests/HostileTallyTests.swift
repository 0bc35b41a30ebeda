import BenchmarkSupport
import Testing

@Suite("Outcomes of hostile images")
struct HostileTallyTests {
  private let right = PictureOutcome.shown(width: 40, height: 30, orientation: 6, isDamaged: false)

  private func expected(_ verdict: PictureExpectation.Verdict) -> PictureExpectation {
    PictureExpectation(path: "a.png", verdict: verdict, width: 40, height: 30, orientation: 6)
  }

  private func complaint(
    _ verdict: PictureExpectation.Verdict, _ outcome: PictureOutcome, nanoseconds: Double = 1e6,
    decoderBytes: Int = 1 << 20
  ) -> String? {
    var tally = HostileTally()
    let complaint = tally.record(expected(verdict), outcome, nanoseconds: nanoseconds, decoderBytes: decoderBytes)
    #expect(tally.wrongCount == (complaint == nil ? 0 : 1) && tally.count == 1)
    return complaint
  }

  @Test("A valid image must have the expected size and orientation")
  func pictures() {
    #expect(complaint(.ok, right) == nil)
    #expect(
      complaint(.ok, .shown(width: 30, height: 40, orientation: 1, isDamaged: false))
        == "shown as 30 x 40 in orientation 1, not 40 x 30 in 6")
    #expect(complaint(.ok, .refused("too large")) == "refused: too large")
  }

  @Test("An invalid image must fail with a reason or be marked as damaged")
  func failures() {
    #expect(complaint(.error, .refused("damaged")) == nil)
    #expect(complaint(.error, .refused("")) == "refused without a reason")
    #expect(complaint(.error, right) == "shown as if nothing were wrong")
    #expect(complaint(.error, .shown(width: 1, height: 1, orientation: 1, isDamaged: true)) == nil)
    #expect(complaint(.bomb, right) == "shown")
    #expect(complaint(.bomb, .refused("too large")) == nil)
    #expect(complaint(.foreign, right) == "shown, of a format without a decoder")
    #expect(complaint(.either, right) == nil && complaint(.either, .refused("damaged")) == nil)
  }

  @Test(
    "No image may terminate its process, take seconds or use excessive memory",
    arguments: PictureExpectation.Verdict.allCases)
  func harm(verdict: PictureExpectation.Verdict) {
    let outcome = verdict == .ok ? right : .refused("damaged")
    #expect(complaint(verdict, .fatal("crashed")) == "ended its decoding process: crashed")
    #expect(complaint(verdict, outcome, nanoseconds: 5e9) == nil)
    #expect(complaint(verdict, outcome, nanoseconds: 5.1e9) == "took 5,100 ms")
    #expect(complaint(verdict, outcome, decoderBytes: 256 << 20) == nil)
    #expect(complaint(verdict, outcome, decoderBytes: 257 << 20) == "the decoding process took 257.0 MB")
  }

  @Test("The table has a row for each expectation and a total, and excessive memory is attributed to one file")
  func table() {
    var tally = HostileTally()
    for _ in 0..<3 {
      #expect(tally.record(expected(.ok), right, nanoseconds: 2e6, decoderBytes: 300 << 20) == nil || tally.count == 1)
    }
    _ = tally.record(expected(.bomb), .refused("too large"), nanoseconds: 9e6, decoderBytes: 300 << 20)
    #expect(
      tally.rows == [
        ["ok", "3", "3", "0", "1", "2.00 ms"], ["bomb", "1", "0", "1", "0", "9.00 ms"],
        ["all", "4", "3", "1", "1", "9.00 ms"],
      ])
    #expect(tally.wrongCount == 1)
    #expect(tally.bounds[1] == "largest decoding process: 300.0 MB, <= 256.0 MB MISSED")
    tally.growth = 9 << 20
    #expect(tally.wrongCount == 2)
    #expect(tally.bounds[2] == "growth of the program: 9.0 MB, <= 8.0 MB MISSED")
  }

  @Test("Lines of a list are parsed, except for its heading")
  func lines() throws {
    #expect(PictureExpectation(line: "path\tformat\texpected\twidth\theight\torientation\tframes") == nil)
    #expect(PictureExpectation(line: "") == nil)
    let entry = try #require(PictureExpectation(line: "a/b c.avif\tavif\tok\t256\t512\t8\t1\t10597\tsource"))
    #expect(
      entry == PictureExpectation(path: "a/b c.avif", verdict: .ok, width: 256, height: 512, orientation: 8))
    #expect(PictureExpectation(line: "a.jxl\tjxl\tok\t2\t2\t1")?.verdict == .foreign)
    #expect(PictureExpectation(line: "x/big_g4.tif\ttiff\tok\t2\t2\t1")?.verdict == .either)
  }
}
