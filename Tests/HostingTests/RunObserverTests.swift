import Foundation
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport
import VitrineViews

@testable import VitrineHosting

@Suite("The observer of a host")
struct RunObserverTests {
  /// An observer that records its calls.
  private final class Log: RunObserver {
    var calls: [String] = []
    var frameCounts: [Int] = []
    var refusal: HostError?
    var failure: HostError?

    func prepareDevices(_ devices: inout RunDevices) {
      calls.append("devices")
      devices.pacing.interval = .milliseconds(20)
    }

    func makeRootView(for content: View) -> HostRootView {
      calls.append("root")
      return HostRootView(content)
    }

    func prepareRun(_ configuration: inout RunConfiguration, of host: VitrineHosting.Host) {
      calls.append("prepare")
      configuration.limits.frames = 3
    }

    func runWillConfigure(_ run: HostRun) { calls.append("will configure") }

    func runWillStart(_ run: HostRun) throws(HostError) {
      calls.append("will start")
      if let refusal { throw refusal }
    }

    func runDidEnd(_ run: HostRun, _ reason: LoopExitReason) throws(HostError) {
      calls.append("did end: \(reason)")
      frameCounts.append(run.loop.history.count)
      #expect(run.loop.interval == .milliseconds(20) && run.rootView.content === run.window.rootView.subviews.first)
      if let failure { throw failure }
    }
  }

  private let log = Log()

  private func makeHost(screenshot: String? = nil) throws -> VitrineHosting.Host {
    var options = HostingOptions()
    options.isHeadless = true
    options.clock = .virtual
    options.frames = 9
    options.screenshot = screenshot
    return try VitrineHosting.Host(options: options, title: "Observed", observer: log)
  }

  @Test("The calls are made in order, and what they change applies to the run")
  func order() throws {
    let host = try makeHost()
    defer { host.close() }
    let status = try host.run(root: View(), scrollView: nil) { _, _ in log.calls.append("configure") }
    #expect(status == 0 && log.frameCounts == [3])
    #expect(
      log.calls == [
        "devices", "root", "prepare", "will configure", "configure", "will start", "did end: limit",
      ])
  }

  @Test("An error before the start ends the run before its first frame")
  func refusal() throws {
    let host = try makeHost()
    defer { host.close() }
    log.refusal = HostError("no")
    #expect(throws: HostError.self) { try host.run(root: View(), scrollView: nil) { _, _ in } }
    #expect(log.calls.last == "will start" && log.frameCounts.isEmpty)
  }

  @Test("An error at the end is thrown, and the last frame is written nevertheless")
  func failure() throws {
    let folder = try TemporaryFolder()
    let host = try makeHost(screenshot: folder.path(of: "shot.png"))
    defer { host.close() }
    log.failure = HostError("no")
    let error = #expect(throws: HostError.self) { try host.run(root: View(), scrollView: nil) { _, _ in } }
    #expect(error?.description == "no")
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path(of: "shot.png"))).starts(with: [0x89, 0x50]))
  }

  @Test("A host without an observer runs to its limits")
  func withoutObserver() throws {
    var options = HostingOptions()
    options.isHeadless = true
    options.clock = .virtual
    options.frames = 4
    let host = try VitrineHosting.Host(options: options, title: "Plain")
    defer { host.close() }
    var loop: CommitLoop?
    #expect(try host.run(root: View(), scrollView: nil) { loop = $1 } == 0)
    #expect(loop?.history.count == 4)
  }
}
