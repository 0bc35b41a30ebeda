import FramePacing
import Glibc
import TestSupport
import Testing
import Threads

@testable import ImagePipeline

@Suite("Pictures are shared while the pipeline rests")
struct SharingDeskTests {
  private let desk = SharingDesk(pause: .zero)
  private let stop: StopSignal

  init() throws { stop = try StopSignal() }

  private func note(_ number: Int) {
    let identity = FileIdentity(
      device: 1, node: UInt64(number), byteCount: 10, modifiedSeconds: 20, modifiedNanoseconds: 30)
    desk.note(
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
    let job = try #require(desk.takeNext(after: nil))
    #expect(desk.begin(job, stop: stop) && desk.mayGoOn(job) && !isStopped)
    desk.noteFrame()
    #expect(!desk.mayGoOn(job) && !isStopped)
    desk.noteRequest()
    #expect(isStopped)
    desk.end(.stopped)
    #expect(desk.hasWork)
  }

  @Test("A request that comes before there is anything to stop is seen when the work begins")
  func requestBefore() throws {
    note(1)
    let job = try #require(desk.takeNext(after: nil))
    desk.noteRequest()
    #expect(!isStopped && !desk.begin(job, stop: stop))
    desk.end(.stopped)
    let again = try #require(desk.takeNext(after: job))
    #expect(again.candidate == job.candidate && desk.begin(again, stop: stop))
    desk.end(.settled)
  }

  @Test("Every request stops what is under way, not only the first")
  func twice() throws {
    note(1)
    let first = try #require(desk.takeNext(after: nil))
    _ = desk.begin(first, stop: stop)
    desk.noteRequest()
    desk.end(.stopped)
    let second = try #require(desk.takeNext(after: first))
    let other = try StopSignal()
    #expect(desk.begin(second, stop: other))
    desk.noteFrame()
    desk.noteRequest()
    var watched = pollfd(fd: other.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&watched, 1, 0) > 0)
    desk.end(.settled)
  }

  @Test("While a worker has a picture, nothing goes on")
  func busyWorkers() throws {
    note(1)
    let job = try #require(desk.takeNext(after: nil))
    desk.beginWork()
    #expect(!desk.mayGoOn(job) && !desk.begin(job, stop: stop))
    desk.end(.stopped)
    desk.endWork()
    #expect(!desk.mayGoOn(job))
    #expect(desk.takeNext(after: job) != nil)
    desk.end(.settled)
  }

  @Test("Once the disk takes no more, or the end has come, nothing is noted and nobody waits")
  func ends() throws {
    note(1)
    note(2)
    _ = try #require(desk.takeNext(after: nil))
    desk.giveUp(StorageError(.write, "a", code: ENOSPC))
    desk.end(.settled)
    note(3)
    #expect(!desk.hasWork && desk.condition.fault != nil)
    let other = SharingDesk(pause: .seconds(1_000))
    let closer = try WorkerThread(name: "closer") { other.close() }
    defer { closer.join() }
    #expect(other.takeNext(after: nil) == nil)
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
    #expect(desk.pass(.zero))
    desk.close()
    #expect(!desk.pass(.seconds(1_000)))
  }
}
