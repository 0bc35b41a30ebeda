import BenchmarkSupport
import Testing

@Suite("Text that instruments leave")
struct InstrumentTextTests {
  @Test("is read for the kernel's numbers of bytes, by the whole name")
  func kernel() {
    let text = "VmPeak:\t    2048 kB\nVmHWM:\t      12 kB\nVmHWMx: 9 kB\nThreads:\t1\nBroken: many kB\n"
    #expect(InstrumentText.bytes(of: "VmHWM", in: text) == 12_288)
    #expect(InstrumentText.bytes(of: "VmRSS", in: text) == nil)
    #expect(InstrumentText.bytes(of: "Threads", in: text) == nil)
    #expect(InstrumentText.bytes(of: "Broken", in: text) == nil)
  }

  @Test("is read for callgrind's total")
  func callgrind() {
    #expect(InstrumentText.callgrindTotal(in: "events: Ir\nfn=(1)\n+3 4\n\ntotals: 29347887\n") == 29_347_887)
    #expect(InstrumentText.callgrindTotal(in: "events: Ir\nsummary: 5\n") == nil)
  }
}
