import Testing
import VitrineFramePacing
@testable import VitrineRemoteImages
import VitrineTestSupport
import VitrineThreads

@Suite("Transfer memory budget")
struct TransferMemoryBudgetTests {
  private func urgency(_ number: Int) -> TransferUrgency {
    TransferUrgency(deadline: at(Double(number)), number: UInt64(number))
  }

  @Test("A body of unknown length is charged in steps, not by its maximum")
  func steps() {
    var budget = TransferMemoryBudget(limit: 1_000, step: 100)
    #expect((1...9).allSatisfy { budget.addTransfer(UInt64($0), urgency($0), maximumBytes: 1_000) == 100 })
    #expect(budget.usedBytes == 900)
    #expect(budget.addTransfer(10, urgency(10), maximumBytes: 1_000) == 0, "the last step is reserved for the first")
    budget.recordProgress(TransferProgress(received: 60), of: 1)
    #expect(budget.grantWaiting().map(\.bytes) == [200], "granted before it is needed")
    #expect(budget.usedBytes == 1_000)
  }

  @Test("The bytes that the first transfer still needs are reserved, then those of the next one")
  func reserve() {
    var budget = TransferMemoryBudget(limit: 1_000, step: 100)
    _ = budget.addTransfer(1, urgency(1), maximumBytes: 1_000)
    budget.recordProgress(TransferProgress(received: 10, expected: 900), of: 1)
    #expect(budget.grantWaiting().isEmpty)
    #expect(budget.addTransfer(2, urgency(2), maximumBytes: 1_000) == 100)
    #expect(budget.addTransfer(3, urgency(3), maximumBytes: 1_000) == 0)
    budget.recordProgress(TransferProgress(received: 100, isPaused: true), of: 2)
    budget.recordProgress(TransferProgress(received: 0, expected: 50, isPaused: true), of: 3)
    #expect(budget.grantWaiting().isEmpty && budget.waitingTransfers == [2, 3] && budget.transferToPreempt() == nil)
    #expect(!budget.canStart(urgency(4)) && budget.canStart(urgency(0)))
    budget.removeTransfer(1)
    let grants = budget.grantWaiting()
    #expect(grants.map(\.run) == [2, 3] && grants.map(\.bytes) == [200, 50])
    #expect(budget.waitingTransfers.isEmpty && budget.usedBytes == 250)
  }

  @Test("If the first transfer has to wait, the last one is preempted, and then the one before it")
  func preempts() {
    var budget = TransferMemoryBudget(limit: 300, step: 100)
    for number in 2...3 { _ = budget.addTransfer(UInt64(number), urgency(number), maximumBytes: 300) }
    _ = budget.addTransfer(1, urgency(1), maximumBytes: 300)
    #expect(budget.usedBytes == 300)
    budget.recordProgress(TransferProgress(received: 100, isPaused: true), of: 1)
    #expect(budget.grantWaiting().isEmpty && budget.transferToPreempt() == 3)
    budget.removeTransfer(3)
    #expect(budget.grantWaiting().map(\.bytes) == [200] && budget.transferToPreempt() == nil)
    budget.recordProgress(TransferProgress(received: 200, isPaused: true), of: 1)
    #expect(budget.grantWaiting().isEmpty && budget.transferToPreempt() == 2)
    budget.removeTransfer(2)
    #expect(budget.grantWaiting().map(\.bytes) == [300])
    // A body that exceeds the whole budget is stopped by the size limit.
    budget.recordProgress(TransferProgress(received: 300, isPaused: true), of: 1)
    #expect(budget.grantWaiting().isEmpty && budget.transferToPreempt() == nil && budget.waitingTransfers.isEmpty)
  }

  @Test("A transfer without memory whose server has not replied does not block the others")
  func unanswered() {
    var budget = TransferMemoryBudget(limit: 300, step: 100)
    for number in 2...3 { _ = budget.addTransfer(UInt64(number), urgency(number), maximumBytes: 300) }
    budget.recordProgress(TransferProgress(received: 100, expected: 180, isPaused: true), of: 2)
    #expect(budget.grantWaiting().map(\.bytes) == [180] && budget.usedBytes == 280)
    #expect(budget.addTransfer(1, urgency(1), maximumBytes: 300) == 0)
    budget.recordProgress(TransferProgress(received: 100, expected: 115, isPaused: true), of: 3)
    let grants = budget.grantWaiting()
    #expect(grants.map(\.run) == [3] && grants.map(\.bytes) == [115], "20 are free, and the first needs nothing")
    budget.recordProgress(TransferProgress(received: 180, expected: 280, isPaused: true), of: 2)
    #expect(budget.grantWaiting().isEmpty && budget.transferToPreempt() == 3, "the first started transfer continues")
    budget.recordProgress(TransferProgress(received: 0, isPaused: true), of: 1)
    #expect(budget.grantWaiting().isEmpty && budget.transferToPreempt() == 3, "with bytes it becomes the first")
    budget.removeTransfer(3)
    #expect(budget.grantWaiting().map(\.run) == [1] && budget.transferToPreempt() == nil)
  }

  @Test("A spared transfer is preempted only if there is no other")
  func spared() {
    var budget = TransferMemoryBudget(limit: 300, step: 100)
    for number in 2...3 { _ = budget.addTransfer(UInt64(number), urgency(number), maximumBytes: 300) }
    _ = budget.addTransfer(1, urgency(1), maximumBytes: 300)
    budget.recordProgress(TransferProgress(received: 100, isPaused: true), of: 1)
    #expect(budget.grantWaiting().isEmpty && budget.transferToPreempt { $0 == 3 } == 2)
    #expect(budget.transferToPreempt { _ in true } == 3)
  }

  @Test("With random events all transfers complete within the budget", arguments: TestScale.seeds(0..<20))
  func randomEvents(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var budget = TransferMemoryBudget(limit: 1_000, step: [30, 100, 333].randomElement(using: &random) ?? 1)
    var transfers: [UInt64: (length: Int, isLengthKnown: Bool, received: Int, granted: Int, urgency: TransferUrgency)] =
      [:]
    var (next, completed, restarted, waitCount) = (1, 0, 0, 0)
    while next <= 60 || !transfers.isEmpty {
      if next <= 60, transfers.count < 8, random.chance(oneIn: 3) {
        let urgency = TransferUrgency(deadline: at(Double.random(in: 0...90, using: &random)), number: UInt64(next))
        let granted = budget.addTransfer(UInt64(next), urgency, maximumBytes: 1_000)
        transfers[UInt64(next)] = (
          Int.random(in: 1...1_000, using: &random), random.chance(oneIn: 2), 0, granted, urgency
        )
        next += 1
      }
      guard let run = transfers.keys.sorted().randomElement(using: &random), var transfer = transfers[run] else {
        continue
      }
      if random.chance(oneIn: 20) {
        transfer.urgency = TransferUrgency(deadline: at(Double.random(in: 0...90, using: &random)), number: run)
        budget.setUrgency(transfer.urgency, for: run)
      }
      let target = min(transfer.length, transfer.received + Int.random(in: 1...120, using: &random))
      transfer.received = min(target, transfer.granted)
      transfers[run] = transfer
      if transfer.received == transfer.length {
        budget.removeTransfer(run)
        transfers[run] = nil
        completed += 1
      } else {
        budget.recordProgress(
          TransferProgress(
            received: transfer.received, expected: transfer.isLengthKnown ? transfer.length : nil,
            isPaused: target > transfer.granted),
          of: run)
      }
      while true {
        for (run, bytes) in budget.grantWaiting() {
          #expect(bytes > transfers[run]?.granted ?? .max)
          transfers[run]?.granted = bytes
        }
        guard let run = budget.transferToPreempt(), let transfer = transfers[run] else { break }
        #expect(transfers.values.contains { $0.urgency < transfer.urgency }, "the first transfer was preempted")
        budget.removeTransfer(run)
        // The transfer restarts.
        let granted = budget.addTransfer(run, transfer.urgency, maximumBytes: 1_000)
        transfers[run] = (transfer.length, transfer.isLengthKnown, 0, granted, transfer.urgency)
        restarted += 1
      }
      if !budget.waitingTransfers.isEmpty { waitCount += 1 }
      #expect(budget.usedBytes == transfers.values.reduce(0) { $0 + $1.granted } && budget.usedBytes <= 1_000)
      let first = transfers.min { $0.value.urgency < $1.value.urgency }?.key
      #expect(first.map { !budget.waitingTransfers.contains($0) } ?? true, "the first never waits")
    }
    #expect(completed == 60 && restarted > 0 && waitCount > 0 && budget.usedBytes == 0)
  }
}

// MARK: - More transfers than the memory can hold

@Suite("More transfers than the memory can hold")
struct LimitedMemoryTransferTests {
  /// Returns an image of 280 KB that differs by address.
  private static func body(_ path: String) -> [UInt8] {
    let number = path.utf8.reduce(0) { $0 &* 31 &+ UInt8($1 & 0x7F) }
    return pictureBytes + [UInt8](repeating: number, count: 280_000)
  }

  @Test("All bodies arrive complete, whether their length is declared or not", arguments: [true, false])
  func complete(isLengthKnown: Bool) throws {
    let server = try WebServer { request, connection in
      connection.send(
        connection.responseHead(headers: isLengthKnown ? ["Content-Length: 282004"] : ["Connection: close"]))
      connection.send(LimitedMemoryTransferTests.body(request.path))
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(maximumBytes: 300_000, inFlightBytes: 300_000)
    for number in 0..<12 { harness.fetch(server.address("/\(number)"), name: "/\(number)") }
    for (name, result) in try harness.waitForResults(12) {
      #expect(try result.get().bytes(atMost: 1 << 20) == LimitedMemoryTransferTests.body(name))
    }
  }

  @Test("A transfer that waits for the memory of another arrives complete")
  func waits() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      connection.send(connection.responseHead(headers: ["Content-Length: 282004"]))
      let body = LimitedMemoryTransferTests.body(request.path)
      connection.send(body.prefix(281_000))
      if request.path == "/first" { gate.wait { $0 ? () : nil } }
      connection.send(body.dropFirst(281_000))
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(maximumBytes: 300_000, inFlightBytes: 300_000)
    harness.fetch(server.address("/first"), name: "/first")
    try server.waitForRequests(1)
    harness.fetch(server.address("/second"), name: "/second")
    try server.waitForRequests(2)
    gate.withLock { $0 = true }
    gate.wakeAll()
    #expect(try harness.waitForResults(2).map(\.name).sorted() == ["/first", "/second"])
  }

  @Test("An image on screen preempts one of six other transfers, which completes later")
  func preempts() throws {
    let gate = Lock(false)
    let server = try WebServer { request, connection in
      if request.path != "/visible" { gate.wait { $0 ? () : nil } }
      connection.sendResponse(body: pictureBytes)
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness()
    for number in 0..<6 { harness.fetch(server.address("/\(number)"), deadline: .distantFuture, name: "/\(number)") }
    try server.waitForRequests(6)
    harness.fetch(server.address("/visible"), name: "/visible")
    #expect(try harness.waitForResults(1).map(\.name) == ["/visible"], "none of the six can complete")
    gate.withLock { $0 = true }
    gate.wakeAll()
    let results = try harness.waitForResults(7)
    #expect(results.allSatisfy { (try? $0.result.get()) != nil } && Set(results.map(\.name)).count == 7)
    #expect(server.requests.count == 8, "one was requested twice")
  }

  @Test("Endless bodies end at the size limit")
  func endless() throws {
    let server = try WebServer { _, connection in
      connection.send(connection.responseHead(headers: ["Connection: close"]))
      while connection.send(pictureBytes) {}
    }
    defer { server.stop() }
    let harness = try RemoteTransfersHarness(maximumBytes: 600_000, inFlightBytes: 600_000)
    for number in 0..<8 { harness.fetch(server.address("/\(number)")) }
    #expect(try harness.waitForResults(8).allSatisfy { $0.result == .failure(.tooLarge(limit: 600_000)) })
  }
}
