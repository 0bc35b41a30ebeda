import Glibc
import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
import VitrineTestSupport
import VitrineThreads

@Suite("Decode interrupter")
struct DecodeInterrupterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func withWord(_ body: (UnsafeMutablePointer<UInt32>) -> Void) {
    let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    word.initialize(to: 0)
    defer { word.deallocate() }
    body(word)
  }

  @Test("An interruption applies from its assignment to its end, between requests too")
  func interrupts() {
    withWord { word in
      let interrupter = DecodeInterrupter()
      // Assigned, but not begun.
      interrupter.interrupt(job: 5)
      interrupter.beginDecode(job: 5)
      #expect(interrupter.isInterrupted && !interrupter.beginRequest(1, word: word))
      interrupter.endDecode()
      interrupter.beginDecode(job: 6)
      #expect(interrupter.beginRequest(2, word: word), "another job")
      interrupter.endRequest()
      // Between two requests of one job.
      interrupter.interrupt(job: 6)
      #expect(!interrupter.beginRequest(3, word: word) && word.pointee == 0)
      interrupter.endDecode()
      // Of a job that has ended.
      interrupter.interrupt(job: 6)
      interrupter.beginDecode(job: 7)
      #expect(interrupter.beginRequest(4, word: word))
      interrupter.interrupt(job: 7)
      #expect(word.pointee == 4)
    }
  }

  private func decoder(
    _ behavior: FakeHelper.Behavior, _ greeting: FakeHelper.Greeting = .ready, _ interrupter: DecodeInterrupter
  ) throws -> ProcessDecoder {
    let helper = try FakeHelper.write(in: folder, greeting: greeting, behavior)
    return ProcessDecoder(
      setup: { DecodingProcess.Setup(executable: Array(helper.utf8), slotBytes: 4 << 20, priority: .normal) },
      delay: .zero, stop: try StopSignal(), interrupter: interrupter)
  }

  private func job(_ number: UInt64) throws -> ImageJob {
    let path = try folder.write([1, 2, 3], to: "a.jpg")
    return ImageJob(
      number: number, request: ImageRequest(key: key(1), source: .file(path: path)))
  }

  @Test("An interrupted job that has not begun sends no request to its process")
  func beforeStart() throws {
    let interrupter = DecodeInterrupter()
    let decoder = try decoder(.hangs, .ready, interrupter)
    interrupter.interrupt(job: 3)
    guard case .failure(.interrupted) = decoder.decode(try job(3)) else {
      Issue.record("it was not interrupted")
      return
    }
    #expect(decoder.processNumber != nil, "the process is still running")
  }

  @Test(
    "An interruption ends the wait for a starting process, which continues to start")
  func whileGettingReady() throws {
    let interrupter = DecodeInterrupter()
    let decoder = try decoder(.valid, .silent, interrupter)
    let thread = try WorkerThread(name: "interrupts") {
      _ = try? Deadline().wait(for: "the job to start") { interrupter.isBusy ? () : nil }
      interrupter.interrupt(job: 4)
    }
    let outcome = decoder.decode(try job(4))
    thread.join()
    guard case .failure(.interrupted) = outcome else {
      Issue.record("it was not interrupted")
      return
    }
    #expect(decoder.processNumber != nil)
  }

  @Test("The readiness timeout counts from the start of the process")
  func readinessTimeoutFromStart() throws {
    let helper = try FakeHelper.write(in: folder, greeting: .silent, .valid)
    var setup = DecodingProcess.Setup(executable: Array(helper.utf8), slotBytes: 4 << 20, priority: .normal)
    setup.readinessTimeout = ProcessTimeout(limit: .milliseconds(60))
    let process = try DecodingProcess(starting: setup, stop: nil)
    // Each wait ends after one check, long before the timeout: if each of them restarted the clock, none would time
    // out. On a busy machine the process is granted twelve times its limit.
    #expect(throws: DecodingProcessError.notReady) {
      for _ in 0..<60 {
        var calls = 0
        let isReady = try process.waitUntilReady(shouldContinue: {
          calls += 1
          return calls < 2
        })
        #expect(!isReady)
      }
    }
  }
}
