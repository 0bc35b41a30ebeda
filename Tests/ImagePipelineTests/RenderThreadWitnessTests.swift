import Testing
import Threads

@testable import ImagePipeline

@Suite("The witness counts decodes on the thread that draws")
struct RenderThreadWitnessTests {
  @Test("A decode on its own thread is counted, one on another is not")
  func counts() throws {
    let witness = RenderThreadDecodeCounter()
    let thread = try WorkerThread(name: "other") { witness.recordDecode() }
    thread.join()
    #expect(witness.decodeCount == 0)
    witness.recordDecode()
    #expect(witness.decodeCount == 1)
  }
}
