import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

@Suite("Room for bodies on their way")
struct MemoryRoomTests {
  private func urgency(_ number: Int) -> TransferUrgency {
    TransferUrgency(deadline: at(Double(number)), number: UInt64(number))
  }

  @Test("a body of unknown length is charged by steps, not by the most that it may have")
  func steps() {
    var room = TransferMemoryBudget(limit: 1_000, step: 100)
    #expect((1...9).allSatisfy { room.addTransfer(UInt64($0), urgency($0), most: 1_000) == 100 })
    #expect(room.usedBytes == 900)
    #expect(room.addTransfer(10, urgency(10), most: 1_000) == 0, "a step is left to the first")
    room.recordProgress(TransferProgress(received: 60), of: 1)
    #expect(room.grantWaiting().map(\.bytes) == [200], "asked for before it is needed")
    #expect(room.usedBytes == 1_000)
  }

  @Test("what the first still needs is left to it; then the next is the first")
  func reserve() {
    var room = TransferMemoryBudget(limit: 1_000, step: 100)
    _ = room.addTransfer(1, urgency(1), most: 1_000)
    room.recordProgress(TransferProgress(received: 10, expected: 900), of: 1)
    #expect(room.grantWaiting().isEmpty)
    #expect(room.addTransfer(2, urgency(2), most: 1_000) == 100)
    #expect(room.addTransfer(3, urgency(3), most: 1_000) == 0)
    room.recordProgress(TransferProgress(received: 100, isPaused: true), of: 2)
    room.recordProgress(TransferProgress(received: 0, expected: 50, isPaused: true), of: 3)
    #expect(room.grantWaiting().isEmpty && room.waitingTransfers == [2, 3] && room.transferToPreempt() == nil)
    #expect(!room.canStart(urgency(4)) && room.canStart(urgency(0)))
    room.removeTransfer(1)
    let grants = room.grantWaiting()
    #expect(grants.map(\.run) == [2, 3] && grants.map(\.bytes) == [200, 50])
    #expect(room.waitingTransfers.isEmpty && room.usedBytes == 250)
  }

  @Test("where the first has to wait, the last of all gives way, and then the one before it")
  func givesWay() {
    var room = TransferMemoryBudget(limit: 300, step: 100)
    for number in 2...3 { _ = room.addTransfer(UInt64(number), urgency(number), most: 300) }
    _ = room.addTransfer(1, urgency(1), most: 300)
    #expect(room.usedBytes == 300)
    room.recordProgress(TransferProgress(received: 100, isPaused: true), of: 1)
    #expect(room.grantWaiting().isEmpty && room.transferToPreempt() == 3)
    room.removeTransfer(3)
    #expect(room.grantWaiting().map(\.bytes) == [200] && room.transferToPreempt() == nil)
    room.recordProgress(TransferProgress(received: 200, isPaused: true), of: 1)
    #expect(room.grantWaiting().isEmpty && room.transferToPreempt() == 2)
    room.removeTransfer(2)
    #expect(room.grantWaiting().map(\.bytes) == [300])
    // A server that goes on past the end of everything is for others to stop.
    room.recordProgress(TransferProgress(received: 300, isPaused: true), of: 1)
    #expect(room.grantWaiting().isEmpty && room.transferToPreempt() == nil && room.waitingTransfers.isEmpty)
  }

  @Test("one without room whose server has not answered keeps nobody from the room that there is")
  func unanswered() {
    var room = TransferMemoryBudget(limit: 300, step: 100)
    for number in 2...3 { _ = room.addTransfer(UInt64(number), urgency(number), most: 300) }
    room.recordProgress(TransferProgress(received: 100, expected: 180, isPaused: true), of: 2)
    #expect(room.grantWaiting().map(\.bytes) == [180] && room.usedBytes == 280)
    #expect(room.addTransfer(1, urgency(1), most: 300) == 0)
    room.recordProgress(TransferProgress(received: 100, expected: 115, isPaused: true), of: 3)
    let grants = room.grantWaiting()
    #expect(grants.map(\.run) == [3] && grants.map(\.bytes) == [115], "20 are free, and the first needs nothing")
    room.recordProgress(TransferProgress(received: 180, expected: 280, isPaused: true), of: 2)
    #expect(room.grantWaiting().isEmpty && room.transferToPreempt() == 3, "the first of those that have begun goes on")
    room.recordProgress(TransferProgress(received: 0, isPaused: true), of: 1)
    #expect(room.grantWaiting().isEmpty && room.transferToPreempt() == 3, "once it has bytes it is the first")
    room.removeTransfer(3)
    #expect(room.grantWaiting().map(\.run) == [1] && room.transferToPreempt() == nil)
  }

  @Test("who is spared gives way only where nobody else can")
  func spares() {
    var room = TransferMemoryBudget(limit: 300, step: 100)
    for number in 2...3 { _ = room.addTransfer(UInt64(number), urgency(number), most: 300) }
    _ = room.addTransfer(1, urgency(1), most: 300)
    room.recordProgress(TransferProgress(received: 100, isPaused: true), of: 1)
    #expect(room.grantWaiting().isEmpty && room.transferToPreempt { $0 == 3 } == 2)
    #expect(room.transferToPreempt { _ in true } == 3)
  }

  @Test("whatever comes in which order, all come to their end within the bound", arguments: 0..<20)
  func storm(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var room = TransferMemoryBudget(limit: 1_000, step: [30, 100, 333].randomElement(using: &random) ?? 1)
    var bodies: [UInt64: (length: Int, isTold: Bool, received: Int, granted: Int, place: TransferUrgency)] = [:]
    var (next, ended, left, waits) = (1, 0, 0, 0)
    while next <= 60 || !bodies.isEmpty {
      if next <= 60, bodies.count < 8, random.chance(oneIn: 3) {
        let place = TransferUrgency(deadline: at(Double.random(in: 0...90, using: &random)), number: UInt64(next))
        let granted = room.addTransfer(UInt64(next), place, most: 1_000)
        bodies[UInt64(next)] = (Int.random(in: 1...1_000, using: &random), random.chance(oneIn: 2), 0, granted, place)
        next += 1
      }
      guard let run = bodies.keys.sorted().randomElement(using: &random), var body = bodies[run] else { continue }
      if random.chance(oneIn: 20) {
        body.place = TransferUrgency(deadline: at(Double.random(in: 0...90, using: &random)), number: run)
        room.setUrgency(body.place, for: run)
      }
      let wanted = min(body.length, body.received + Int.random(in: 1...120, using: &random))
      body.received = min(wanted, body.granted)
      bodies[run] = body
      if body.received == body.length {
        room.removeTransfer(run)
        bodies[run] = nil
        ended += 1
      } else {
        room.recordProgress(
          TransferProgress(
            received: body.received, expected: body.isTold ? body.length : nil, isPaused: wanted > body.granted),
          of: run)
      }
      while true {
        for (run, bytes) in room.grantWaiting() {
          #expect(bytes > bodies[run]?.granted ?? .max)
          bodies[run]?.granted = bytes
        }
        guard let run = room.transferToPreempt(), let given = bodies[run] else { break }
        #expect(bodies.values.contains { $0.place < given.place }, "not the first of all")
        room.removeTransfer(run)
        // It is asked for again.
        let granted = room.addTransfer(run, given.place, most: 1_000)
        bodies[run] = (given.length, given.isTold, 0, granted, given.place)
        left += 1
      }
      if !room.waitingTransfers.isEmpty { waits += 1 }
      #expect(room.usedBytes == bodies.values.reduce(0) { $0 + $1.granted } && room.usedBytes <= 1_000)
      let first = bodies.min { $0.value.place < $1.value.place }?.key
      #expect(first.map { !room.waitingTransfers.contains($0) } ?? true, "the first never waits")
    }
    #expect(ended == 60 && left > 0 && waits > 0 && room.usedBytes == 0)
  }
}
