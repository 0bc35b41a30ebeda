import BenchmarkSupport
import Testing

@Suite("Readings")
struct ReadingTests {
  private func reading(_ nanoseconds: Double..., instructions: [Double?] = []) -> Reading {
    var reading = Reading()
    for (index, time) in nanoseconds.enumerated() {
      reading.add(Sample(nanoseconds: time, instructions: index < instructions.count ? instructions[index] : nil))
    }
    return reading
  }

  @Test("know the quickest, the slowest and the run in the middle, in whatever order they come")
  func order() {
    let odd = reading(30, 10, 20)
    #expect(odd.nanoseconds == [10, 20, 30])
    #expect(odd.least == 10 && odd.median == 20 && odd.most == 30)
    let even = reading(4, 1, 3, 2)
    #expect(even.median == 2.5)
    #expect(reading(7).median == 7)
  }

  @Test("without a run know nothing")
  func empty() {
    #expect(reading().least == nil && reading().median == nil && reading().most == nil)
    #expect(reading(1).ratio(to: reading()) == nil)
    #expect(reading(1).ratio(to: reading(0)) == nil)
  }

  @Test("compare by the quickest runs")
  func ratio() { #expect(reading(60, 500).ratio(to: reading(20, 21)) == 3) }

  @Test("keep the fewest instructions, and none where none were counted")
  func instructions() {
    #expect(reading(1, 2, 3, instructions: [50, 40, nil]).instructions == 40)
    #expect(reading(1).instructions == nil)
  }

  @Test("share what equal operations took together")
  func operations() {
    let sample = Sample(nanoseconds: 320, instructions: 64, operations: 32)
    #expect(sample.nanoseconds == 10 && sample.instructions == 2)
  }
}
