import CollectionUI
import Testing

@Suite("The deferred update controller, without a view")
struct DeferredUpdateControllerTests {
  private let updates = DeferredUpdateController()

  /// The names of the performed updates, in order.
  private final class Log {
    var names: [String] = []
  }
  private let log = Log()

  private func perform(_ name: String) { updates.perform { [log] in log.names.append(name) } }

  @Test("An update is performed immediately unless client code runs")
  func immediately() {
    perform("a")
    #expect(log.names == ["a"] && !updates.isCallingClient)
    updates.deferringUpdates {
      #expect(updates.isCallingClient)
      perform("b")
      #expect(log.names == ["a"])
    }
    #expect(log.names == ["a", "b"] && !updates.isCallingClient)
  }

  @Test("Updates wait for the outermost call, and are performed in order")
  func nested() {
    updates.deferringUpdates {
      perform("a")
      updates.deferringUpdates { perform("b") }
      #expect(log.names.isEmpty && updates.isCallingClient)
      perform("c")
    }
    #expect(log.names == ["a", "b", "c"])
  }

  @Test("An update that is requested by a pending one is performed after the others")
  func requestedByUpdate() {
    updates.deferringUpdates {
      updates.perform { [self] in
        perform("d")
        updates.deferringUpdates { perform("e") }
        log.names.append("a")
      }
      perform("b")
      perform("c")
    }
    // The call within the first update ends before that update does, and performs what is pending.
    #expect(log.names == ["b", "c", "d", "e", "a"])
  }

  @Test("A replacement of the data source precedes pending updates, and is performed immediately between them")
  func sourceChange() {
    updates.deferringUpdates {
      perform("a")
      updates.performSourceChange { log.names.append("first source") }
      updates.performSourceChange { log.names.append("second source") }
      updates.perform { [self] in updates.performSourceChange { log.names.append("third source") } }
      perform("b")
    }
    #expect(log.names == ["first source", "second source", "a", "third source", "b"])
  }
}
