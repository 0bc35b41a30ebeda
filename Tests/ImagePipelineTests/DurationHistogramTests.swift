import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Duration histogram")
struct DurationHistogramTests {
  @Test("quantiles are those of the sorted lengths, at most 3 % longer", arguments: 0..<10)
  func quantiles(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var histogram = DurationHistogram()
    var lengths: [Int64] = []
    for _ in 0..<1_000 {
      let length = Int64(Double.random(in: 0..<1, using: &random) * Double(1 << Int.random(in: 0..<40, using: &random)))
      lengths.append(length)
      histogram.add(FrameDuration(nanoseconds: length))
    }
    lengths.sort()
    for (share, rank) in [(0.001, 1), (0.5, 500), (0.99, 990), (1.0, 1_000)] {
      let exact = lengths[rank - 1]
      let found = histogram.quantile(share).nanoseconds
      #expect(found >= exact)
      #expect(found <= exact + exact / 32 + 1)
    }
  }

  @Test("has no quantiles without lengths, and takes the longest and the negative ones")
  func edges() {
    var histogram = DurationHistogram()
    #expect(histogram.quantile(0.5) == .zero)
    histogram.add(FrameDuration(nanoseconds: -5))
    #expect(histogram.quantile(1) == .zero)
    histogram.add(FrameDuration(nanoseconds: .max))
    #expect(histogram.quantile(1).nanoseconds == .max)
    #expect(histogram.count == 2)
  }
}
