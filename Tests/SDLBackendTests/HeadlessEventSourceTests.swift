import CVitrinePlatform
import CVitrineSDL2
import Glibc
import Synchronization
import Testing
import VitrineFramePacing
import VitrineGeometry
import VitrineRendering
import VitrineTestSupport

@testable import VitrineSDLBackend

extension SDLTests {
  @Suite("Headless input is injected, and waiting for it blocks")
  struct HeadlessEventSourceTests {
    private func poll(_ display: SDLDisplay) -> [InputEvent] {
      var events: [InputEvent] = []
      display.events.poll(into: &events)
      return events
    }

    @Test("There are no events by default, and injected events are returned in order with a timestamp")
    func injection() throws {
      try withDisplay { display in
        #expect(!display.events.hasPendingEvents && poll(display).isEmpty)
        let kinds: [InputEvent.Kind] = [
          .keyDown(.pageDown, modifiers: .shift, isRepeat: false), .pointerMoved(Point(x: 1, y: 2)), .resized, .quit,
        ]
        kinds.forEach(display.injectEvent)
        #expect(display.events.hasPendingEvents)
        let events = poll(display)
        #expect(events.map(\.kind) == kinds)
        #expect(events.allSatisfy { $0.time > .zero && $0.time == events[0].time })
        #expect(!display.events.hasPendingEvents && poll(display).isEmpty)
      }
    }

    @Test("Waiting does not block while events are pending")
    func noBlocking() throws {
      try withDisplay { display in
        display.injectEvent(.exposed)
        display.events.wait(atMost: nil)
        #expect(poll(display).map(\.kind) == [.exposed])
      }
    }

    @Test("A wake-up before waiting counts, and several count once")
    func earlyWake() throws {
      try withDisplay { display in
        for _ in 0..<1_000 { display.events.waker.wake() }
        display.events.wait(atMost: nil)
        #expect(poll(display).isEmpty)
        // All wake-ups are consumed, so that this call waits until its timeout.
        display.events.wait(atMost: .microseconds(50))
        display.events.wait(atMost: .milliseconds(1))
        display.events.wait(atMost: .zero)
      }
    }

    @Test("Waiting without a limit sleeps until a thread wakes it")
    func sleepsUntilWoken() throws {
      try withDisplay { display in
        let statusPath = "/proc/self/task/\(currentThread())/stat"
        let waker = display.events.waker
        let flag = Flag()
        let thread = try TestThread {
          // The kernel reports when the other thread sleeps.
          let slept: Void? = try? Deadline().wait(for: "the other thread to sleep") {
            TestThread.isSleeping(statusPath) ? () : nil
          }
          flag.isRaised.store(slept != nil, ordering: .sequentiallyConsistent)
          waker.wake()
        }
        display.events.wait(atMost: nil)
        let wasWoken = flag.isRaised.load(ordering: .sequentiallyConsistent)
        #expect(wasWoken)
        thread.join()
        #expect(poll(display).isEmpty)
      }
    }

    @Test("Polling empties SDL's queue, also after waits and wake-ups")
    func pollingEmptiesTheQueue() throws {
      try withDisplay { _ in
        let source = WindowEventSource()
        defer { source.close() }
        for round in 1...20 {
          source.waker.wake()
          source.wait(atMost: nil)
          var events: [InputEvent] = []
          for _ in 0..<round {
            var event = SDL_Event()
            event.type = SDL_QUIT.rawValue
            #expect(SDL_PushEvent(&event) == 1)
          }
          #expect(source.hasPendingEvents)
          source.poll(into: &events)
          #expect(events.count == round && !source.hasPendingEvents)
        }
      }
    }

    @Test("A signal of another descriptor ends one wait, and not all waits until its owner clears it")
    func otherSignal() throws {
      try withDisplay { display in
        let signal = eventfd()
        defer { close(signal) }
        display.wakeLoop(whenSignalled: signal)
        for _ in 0..<3 {
          raise(signal)
          display.events.wait(atMost: nil)
          #expect(poll(display).isEmpty)
        }
        // Still signalled, but not for the watch.
        let watch = try #require(SignalWatch(of: signal))
        var request = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(Glibc.poll(&request, 1, 0) == 1)
        watch.acknowledge()
        #expect(Glibc.poll(&request, 1, 0) == 0)
      }
    }

    @Test("A signal of another descriptor ends the wait for a window's events, also if it came before")
    func otherSignalInWindow() throws {
      try withDisplay { _ in
        let source = WindowEventSource()
        defer { source.close() }
        let signal = eventfd()
        defer { close(signal) }
        raise(signal)
        source.wakeLoop(whenSignalled: signal)
        var events: [InputEvent] = []
        for _ in 0..<20 {
          source.wait(atMost: nil)
          source.poll(into: &events)
          raise(signal)
        }
        #expect(events.isEmpty && !source.hasPendingEvents)
      }
    }

    private func eventfd() -> Int32 { platform_eventfd() }

    private func raise(_ signal: Int32) {
      var one: UInt64 = 1
      _ = write(signal, &one, 8)
    }

    @Test("No wake-up is lost, for any interleaving of the threads")
    func noLostWakeups() throws {
      try withDisplay { display in try expectNoLostWakeups(display.events) }
    }

    @Test("No wake-up is lost through SDL's own queue either")
    func noLostWakeupsThroughSDL() throws {
      try withDisplay { _ in
        let source = WindowEventSource()
        defer { source.close() }
        try expectNoLostWakeups(source)
        #expect(!source.hasPendingEvents)
      }
    }

    /// Verifies that no wake-up is lost while threads submit work, each piece with a wake-up.
    ///
    /// A lost wake-up would leave the loop waiting.
    private func expectNoLostWakeups(_ source: any EventSource) throws {
      let waker = source.waker
      let counter = Counter()
      let threads = try (0..<3).map { _ in
        try TestThread {
          for _ in 0..<3_000 {
            counter.value.wrappingAdd(1, ordering: .sequentiallyConsistent)
            waker.wake()
          }
        }
      }
      var events: [InputEvent] = []
      while counter.value.load(ordering: .sequentiallyConsistent) < 9_000 {
        let deadline = Deadline()
        source.wait(atMost: .seconds(60))
        // Submitting work never takes this long, so a wake-up was lost.
        if deadline.hasPassed { throw WaitTimeoutError(event: "a wake-up") }
        source.poll(into: &events)
      }
      threads.forEach { $0.join() }
      #expect(events.isEmpty)
    }

    private func currentThread() -> String {
      var buffer = [CChar](repeating: 0, count: 64)
      let count = readlink("/proc/thread-self", &buffer, 63)
      let link = String(decoding: buffer.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return String(link.split(separator: "/").last ?? "")
    }

    private nonisolated final class Flag: Sendable {
      let isRaised = Atomic<Bool>(false)
    }

    private nonisolated final class Counter: Sendable {
      let value = Atomic<Int>(0)
    }
  }
}

// MARK: - Test thread

/// An operating system thread, for tests of interactions between threads.
private nonisolated final class TestThread {
  struct CreationError: Error {}

  private let handle: pthread_t

  /// Starts a thread.
  init(_ body: @escaping @Sendable () -> Void) throws {
    let box = Unmanaged.passRetained(Body(run: body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw CreationError()
    }
    handle = thread
  }

  /// Waits for the thread to end.
  ///
  /// Call it once.
  func join() { pthread_join(handle, nil) }

  /// Returns whether the kernel reports a thread as sleeping in its file `/proc/self/task/N/stat`.
  static func isSleeping(_ statusPath: String) -> Bool {
    guard let file = fopen(statusPath, "r") else { return false }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, file)
    // The state is the letter after the name in parentheses.
    guard let end = line.prefix(count).lastIndex(of: UInt8(ascii: ")")), end + 2 < count else { return false }
    return line[end + 2] == UInt8(ascii: "S")
  }

  private final class Body {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
