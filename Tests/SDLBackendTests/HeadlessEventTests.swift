import CSDL2
import FramePacing
import Geometry
import Glibc
import Rendering
import SDLBackend
import Synchronization
import TestSupport
import Testing

extension SDLTests {
  @Suite("Headless input is injected, and waiting for it blocks")
  struct HeadlessEventTests {
    private func poll(_ display: SDLDisplay) -> [InputEvent] {
      var events: [InputEvent] = []
      display.events.poll(into: &events)
      return events
    }

    @Test("Nothing comes in by itself, and injected events come in their order, stamped")
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

    @Test("Waiting does not block while something waits to be read")
    func noBlocking() throws {
      try withDisplay { display in
        display.injectEvent(.exposed)
        display.events.wait(atMost: nil)
        #expect(poll(display).map(\.kind) == [.exposed])
      }
    }

    @Test("A wake-up before waiting counts, and many are one")
    func earlyWake() throws {
      try withDisplay { display in
        for _ in 0..<1_000 { display.events.waker.wake() }
        display.events.wait(atMost: nil)
        #expect(poll(display).isEmpty)
        // All are noticed: this one waits for its time.
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
          // The kernel says when the other thread has gone to sleep.
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

    @Test("No wake-up is lost, whatever the threads do")
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

    /// Threads hand in work one by one, each piece with a wake-up; a lost one would leave the loop waiting for ever.
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
        // Nothing to hand in takes so long: what was waited for has gone by unseen.
        if deadline.hasPassed { throw WaitTimeoutError(what: "a wake-up") }
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
