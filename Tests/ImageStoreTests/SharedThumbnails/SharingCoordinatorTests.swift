import Glibc
import Testing
import VitrineFramePacing
@testable import VitrineImagePipeline
@testable import VitrineImageStore
import VitrineTestSupport
import VitrineThreads

@Suite("Sharing coordinator")
struct SharingCoordinatorTests {
  private let monitor = IdleMonitor()
  private let coordinator: SharingCoordinator
  private let stop: StopSignal

  init() throws {
    stop = try StopSignal()
    coordinator = SharingCoordinator(monitor: monitor, pause: .zero)
  }

  private func addCandidate(_ number: Int) {
    let identity = ImageFileIdentity(
      device: 1, node: UInt64(number), byteCount: 10, modifiedSeconds: 20, modifiedNanoseconds: 30)
    coordinator.addCandidate(
      SharingCandidate(
        path: Array("/\(number)".utf8),
        version: ImageFile.Version(identity: identity, changedSeconds: 40, changedNanoseconds: 50), size: .large,
        hasFailed: false))
  }

  private var isStopped: Bool {
    var watched = pollfd(fd: stop.number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  @Test("Two frames in succession prevent a job from continuing, and a request stops it")
  func frameAndRequest() throws {
    addCandidate(1)
    let job = try #require(coordinator.waitForNextJob(after: nil))
    #expect(coordinator.beginJob(job, stop: stop) && coordinator.canContinue(job) && !isStopped)
    monitor.recordFrame(at: at(10_000))
    #expect(coordinator.canContinue(job), "a single frame is no activity")
    monitor.recordFrame(at: at(10_016))
    #expect(!coordinator.canContinue(job) && !isStopped)
    monitor.recordRequest()
    #expect(isStopped)
    coordinator.endJob(.stopped)
    #expect(coordinator.hasWork)
  }

  @Test("A request before the start of a job prevents the start")
  func requestBefore() throws {
    addCandidate(1)
    let job = try #require(coordinator.waitForNextJob(after: nil))
    monitor.recordRequest()
    #expect(!isStopped && !coordinator.beginJob(job, stop: stop))
    coordinator.endJob(.stopped)
    let again = try #require(coordinator.waitForNextJob(after: job))
    #expect(again.candidate == job.candidate && coordinator.beginJob(again, stop: stop))
    coordinator.endJob(.done)
  }

  @Test("Every request stops the current job, not only the first")
  func everyRequest() throws {
    addCandidate(1)
    let first = try #require(coordinator.waitForNextJob(after: nil))
    _ = coordinator.beginJob(first, stop: stop)
    monitor.recordRequest()
    coordinator.endJob(.stopped)
    let second = try #require(coordinator.waitForNextJob(after: first))
    let other = try StopSignal()
    #expect(coordinator.beginJob(second, stop: other))
    for frame in 1...2 { monitor.recordFrame(at: at(Double(16 * frame))) }
    monitor.recordRequest()
    var watched = pollfd(fd: other.number, events: Int16(POLLIN), revents: 0)
    #expect(poll(&watched, 1, 0) > 0)
    coordinator.endJob(.done)
  }

  @Test("While a worker has a job, none is continued or started")
  func busyWorkers() throws {
    addCandidate(1)
    let job = try #require(coordinator.waitForNextJob(after: nil))
    monitor.beginWork()
    #expect(!coordinator.canContinue(job) && !coordinator.beginJob(job, stop: stop))
    coordinator.endJob(.stopped)
    monitor.endWork()
    #expect(!coordinator.canContinue(job))
    #expect(coordinator.waitForNextJob(after: job) != nil)
    coordinator.endJob(.done)
  }

  @Test("After a fault or a close no candidate is accepted and no wait blocks")
  func stops() throws {
    addCandidate(1)
    addCandidate(2)
    _ = try #require(coordinator.waitForNextJob(after: nil))
    coordinator.stopSharing(StorageError(.write, "a", code: ENOSPC))
    coordinator.endJob(.done)
    addCandidate(3)
    #expect(!coordinator.hasWork && coordinator.status.fault != nil)
    let other = SharingCoordinator(monitor: IdleMonitor(), pause: .seconds(1_000))
    let closer = try WorkerThread(name: "closer") { other.close() }
    defer { closer.join() }
    #expect(other.waitForNextJob(after: nil) == nil)
    #expect(!other.hasWork)
  }

  @Test("A starved idle decoder is stopped and reports its starvation")
  func starved() throws {
    var reportStarvation: () -> Void = {}
    func makeDecoder(_ stop: StopSignal, _ onStarvation: @escaping () -> Void) -> ProcessDecoder {
      reportStarvation = onStarvation
      return ProcessDecoder(setup: { nil }, delay: .zero, stop: stop)
    }
    let idle = try IdleDecoder(makeDecoder)
    var watched = pollfd(fd: idle.stop.number, events: Int16(POLLIN), revents: 0)
    let before = poll(&watched, 1, 0)
    #expect(!idle.isStarved && before == 0)
    reportStarvation()
    let after = poll(&watched, 1, 0)
    #expect(idle.isStarved && after == 1)
    #expect(coordinator.sleep(.zero))
    coordinator.close()
    #expect(!coordinator.sleep(.seconds(1_000)))
  }
}
