import Testing
import Threads

@testable import ImagePipeline

@Suite("The witness counts decodes on the thread that draws")
struct RenderThreadWitnessTests {
  @Test("A decode on its own thread is counted, one on another is not")
  func counts() throws {
    let witness = RenderThreadWitness()
    let thread = try WorkerThread(name: "other") { witness.noteDecode() }
    thread.join()
    #expect(witness.decodesSeen == 0)
    witness.noteDecode()
    #expect(witness.decodesSeen == 1)
  }
}
