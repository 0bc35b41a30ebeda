import Testing

@testable import ImageDecoding

@Suite("Weights of the resampler")
struct LanczosWeightsTests {
  @Test(
    "They add up to one and stay within the line",
    arguments: [(10, 3), (3, 10), (1000, 7), (7, 1000), (1, 1), (1, 50), (50, 1)])
  func sums(count: Int, output: Int) {
    for (start, length) in [(0.0, Double(count)), (0.25, Double(count) * 0.7), (Double(count) * 0.4, 0.1)] {
      let weights = LanczosWeights(count: count, start: start, length: length, output: output)
      #expect(weights.spans.count == output)
      for span in weights.spans {
        let sum = weights.weights[span.weights..<span.weights + span.count].reduce(0, +)
        #expect(abs(sum - 1) < 1e-5)
        #expect(span.first >= 0 && span.count > 0 && span.first + span.count <= count)
      }
    }
  }

  @Test("A line at its own size is copied")
  func copies() {
    #expect(LanczosWeights(count: 40, start: 0, length: 40, output: 40).isCopy)
    let window = LanczosWeights(count: 40, start: 11, length: 20, output: 20)
    #expect(window.isCopy)
    #expect(window.spans.first?.first == 11)
    #expect(!LanczosWeights(count: 40, start: 10.5, length: 20, output: 20).isCopy)
  }

  @Test("A line that is made longer or shorter is no copy, not even one of a single pixel")
  func changedLengths() {
    for count in 1...9 {
      for output in 1...12 {
        let isCopy = LanczosWeights(count: count, start: 0, length: Double(count), output: output).isCopy
        #expect(isCopy == (count == output), "\(count) to \(output)")
      }
    }
    #expect(!LanczosWeights(count: 1, start: 0.25, length: 0.5, output: 256).isCopy)
    #expect(!LanczosWeights(count: 3, start: 1, length: 1, output: 2).isCopy)
  }

  @Test("Mirroring the window mirrors the weights")
  func symmetry() {
    let weights = LanczosWeights(count: 37, start: 0, length: 37, output: 8)
    for (left, right) in zip(weights.spans, weights.spans.reversed()) {
      #expect(left.first == 37 - right.first - right.count)
      let ascending = weights.weights[left.weights..<left.weights + left.count]
      let descending = weights.weights[right.weights..<right.weights + right.count].reversed()
      #expect(zip(ascending, descending).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }
}
