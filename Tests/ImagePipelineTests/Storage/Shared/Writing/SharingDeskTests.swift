import FramePacing
import Glibc
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("Pictures are shared while the pipeline rests")
struct SharingDeskTests {
  private let desk = SharingCoordinator(pause: .zero)
  private let stop: StopSignal

  init() throws { stop = try StopSignal() }

  private func note(_ number: Int) {
    let identity = FileIdentity(
      device: 1, node: UInt64(number), byteCount: 10, modifiedSeconds: 20, modifiedNanoseconds: 30)
    desk.addCandidate(
      SharingCandidate(
        path: Array("/\(number)".utf8),
        version: PictureFile.Version(identity: identity, changedSeconds: 40, changedNanoseconds: 50), size: .large,
        hasFailed: false))
  }

  private var isStopped: Bool {
    var watched = pollfd(fd: stop.number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  @Test("Rest, a frame, a request: what is under way is stopped")
  func frameBetween() throws {
    note(1)
    let job = try #require(desk.waitForNextJob(after: nil))
    #expect(desk.beginJob(job, stop: stop) && desk.canContinue(job) && !isStopped)
    desk.recordFrame()
    #expect(!desk.canContinue(job) && !isStopped)
    desk.recordRequest()
    #expect(isStopped)
    desk.endJob(.stopped)
    #expect(desk.hasWork)
  }

  @Test("A request that comes before there is anything to stop is seen when the work begins")
  func requestBefore() throws {
    note(1)
    let job = try #require(desk.waitForNextJob(after: nil))
    desk.recordRequest()
    #expect(!isStopped && !desk.beginJob(job, stop: stop))
    desk.endJob(.stopped)
    let again = try #require(desk.waitForNextJob(after: job))
    #expect(again.candidate == job.candidate && desk.beginJob(again, stop: stop))
    desk.endJob(.done)
  }

  @Test("Every request stops what is under way, not only the first")
  func twice() throws {
    note(1)
    let first = try #require(desk.waitForNextJob(after: nil))
    _ = desk.beginJob(first, stop: stop)
    desk.recordRequest()
    desk.endJob(.stopped)
    let second = try #require(desk.waitForNextJob(after: first))
    let other = try StopSignal()
    #expect(desk.beginJob(second, stop: other))
    desk.recordFrame()
    desk.recordRequest()
    var watched = pollfd(fd: other.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&watched, 1, 0) > 0)
    desk.endJob(.done)
  }

  @Test("While a worker has a picture, nothing goes on")
  func busyWorkers() throws {
    note(1)
    let job = try #require(desk.waitForNextJob(after: nil))
    desk.beginWork()
    #expect(!desk.canContinue(job) && !desk.beginJob(job, stop: stop))
    desk.endJob(.stopped)
    desk.endWork()
    #expect(!desk.canContinue(job))
    #expect(desk.waitForNextJob(after: job) != nil)
    desk.endJob(.done)
  }

  @Test("Once the disk takes no more, or the end has come, nothing is noted and nobody waits")
  func ends() throws {
    note(1)
    note(2)
    _ = try #require(desk.waitForNextJob(after: nil))
    desk.stopSharing(StorageError(.write, "a", code: ENOSPC))
    desk.endJob(.done)
    note(3)
    #expect(!desk.hasWork && desk.condition.fault != nil)
    let other = SharingCoordinator(pause: .seconds(1_000))
    let closer = try WorkerThread(name: "closer") { other.close() }
    defer { closer.join() }
    #expect(other.waitForNextJob(after: nil) == nil)
    #expect(!other.hasWork)
  }

  @Test("Where its process gets no core, what is done for others is stopped, and it is known why")
  func starved() throws {
    var tell: () -> Void = {}
    func make(_ stop: StopSignal, _ whenStarved: @escaping () -> Void) -> ProcessDecoder {
      tell = whenStarved
      return ProcessDecoder(setup: { nil }, delay: .zero, stop: stop)
    }
    let idle = try IdleDecoder(make)
    var watched = pollfd(fd: idle.stop.number, events: Int16(POLLIN), revents: 0)
    let before = poll(&watched, 1, 0)
    #expect(!idle.isStarved && before == 0)
    tell()
    let after = poll(&watched, 1, 0)
    #expect(idle.isStarved && after == 1)
    #expect(desk.sleep(.zero))
    desk.close()
    #expect(!desk.sleep(.seconds(1_000)))
  }
}
