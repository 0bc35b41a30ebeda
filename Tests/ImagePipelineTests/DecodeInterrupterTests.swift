import FramePacing
import Glibc
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("Interruptions of decodes")
struct DecodeInterrupterTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func withWord(_ body: (UnsafeMutablePointer<UInt32>) -> Void) {
    let word = UnsafeMutablePointer<UInt32>.allocate(capacity: 1)
    word.initialize(to: 0)
    defer { word.deallocate() }
    body(word)
  }

  @Test("reach the request that runs for the key, and no other")
  func byKey() {
    withWord { word in
      let interrupter = DecodeInterrupter()
      interrupter.interrupt(key(1))
      interrupter.beginDecode(key(1))
      #expect(interrupter.beginRequest(17, word: word) && !interrupter.isInterrupted)
      interrupter.interrupt(key(2))
      #expect(word.pointee == 0)
      interrupter.interrupt(key(1))
      #expect(word.pointee == 17 && interrupter.isInterrupted)
      interrupter.endRequest()
      interrupter.endDecode()
      interrupter.interrupt(key(1))
      interrupter.beginDecode(key(1))
      #expect(interrupter.beginRequest(18, word: word) && word.pointee == 17)
    }
  }

  @Test("hold from the job's take-up to its end, whatever is done for it meanwhile")
  func byJob() {
    withWord { word in
      let interrupter = DecodeInterrupter()
      // Taken up, and not begun.
      interrupter.interrupt(job: 5)
      interrupter.beginDecode(key(1), job: 5)
      #expect(interrupter.isInterrupted && !interrupter.beginRequest(1, word: word))
      interrupter.endDecode()
      interrupter.beginDecode(key(1), job: 6)
      #expect(interrupter.beginRequest(2, word: word), "another job for the same")
      interrupter.endRequest()
      // Between two requests of one job.
      interrupter.interrupt(job: 6)
      #expect(!interrupter.beginRequest(3, word: word) && word.pointee == 0)
      interrupter.endDecode()
      // Of one that has ended.
      interrupter.interrupt(job: 6)
      interrupter.beginDecode(key(1), job: 7)
      #expect(interrupter.beginRequest(4, word: word))
      interrupter.interrupt(job: 7)
      #expect(word.pointee == 4)
    }
  }

  private func decoder(
    _ conduct: FakeHelper.Conduct, _ greeting: FakeHelper.Greeting = .ready, _ interrupter: DecodeInterrupter
  ) throws -> ProcessDecoder {
    let helper = try FakeHelper.write(in: folder, greeting: greeting, conduct)
    return ProcessDecoder(
      setup: { DecodingProcess.Setup(executable: Array(helper.utf8), slotBytes: 4 << 20, priority: .normal) },
      delay: .zero, stop: try StopSignal(), interrupter: interrupter)
  }

  private func job(_ number: UInt64) throws -> ImageJob {
    let path = try folder.write([1, 2, 3], to: "a.jpg")
    return ImageJob(
      number: number, request: ImageRequest(key: key(1), source: .file(path: path)))
  }

  @Test("of a job that has not begun nothing is sent to its process", .enabled(if: FakeHelper.isAvailable))
  func beforeTheFirstByte() throws {
    let interrupter = DecodeInterrupter()
    let decoder = try decoder(.hangs, .ready, interrupter)
    interrupter.interrupt(job: 3)
    guard case .failure(.interrupted) = decoder.decode(try job(3)) else {
      Issue.record("it went on")
      return
    }
    #expect(decoder.processNumber != nil, "the process lives on")
  }

  @Test("end the wait for a process that gets ready, which it goes on to do", .enabled(if: FakeHelper.isAvailable))
  func whileGettingReady() throws {
    let interrupter = DecodeInterrupter()
    let decoder = try decoder(.honest, .silent, interrupter)
    let thread = try WorkerThread(name: "interrupts") {
      _ = try? Deadline().wait(for: "the job to begin") { interrupter.isBusy ? () : nil }
      interrupter.interrupt(job: 4)
    }
    let outcome = decoder.decode(try job(4))
    thread.join()
    guard case .failure(.interrupted) = outcome else {
      Issue.record("it went on")
      return
    }
    #expect(decoder.processNumber != nil)
  }

  @Test("the time to get ready counts from the process's start", .enabled(if: FakeHelper.isAvailable))
  func patienceFromStart() throws {
    let helper = try FakeHelper.write(in: folder, greeting: .silent, .honest)
    var setup = DecodingProcess.Setup(executable: Array(helper.utf8), slotBytes: 4 << 20, priority: .normal)
    setup.readinessTimeout = ProcessTimeout(limit: .milliseconds(60))
    let process = try DecodingProcess(starting: setup, stop: nil)
    // Whoever waits leaves after one look, which is sooner than it would be given up: were each to begin anew, none would
    // give it up. On a busy machine it has twelve times its limit.
    #expect(throws: DecodingProcessError.notReady) {
      for _ in 0..<60 {
        var looks = 0
        let isReady = try process.waitUntilReady(isWanted: {
          looks += 1
          return looks < 2
        })
        #expect(!isReady)
      }
    }
  }
}
