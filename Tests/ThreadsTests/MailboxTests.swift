import Testing
import VitrineThreads

@Suite("Mailbox")
struct MailboxTests {
  @Test("The messages of a thread are taken in the order in which they were posted, each once")
  func order() throws {
    let mailbox = Mailbox<(sender: Int, number: Int)>()
    let threads = try (0..<4).map { sender in
      try WorkerThread(name: "sender \(sender)") { for number in 0..<1_000 { mailbox.post((sender, number)) } }
    }
    var taken: [Int: [Int]] = [:]
    func take() {
      for message in mailbox.takeMessages().messages { taken[message.sender, default: []].append(message.number) }
    }
    while taken.values.reduce(0, { $0 + $1.count }) < 2_000 { take() }
    for thread in threads { thread.join() }
    take()
    #expect(taken == Dictionary(uniqueKeysWithValues: (0..<4).map { ($0, Array(0..<1_000)) }) && mailbox.isEmpty)
  }

  @Test("A closed mailbox rejects messages, and those that wait can still be taken")
  func closes() {
    let mailbox = Mailbox<Int>()
    #expect(mailbox.isEmpty && mailbox.post(1))
    mailbox.close()
    mailbox.close()
    #expect(!mailbox.post(2) && !mailbox.isEmpty)
    let (messages, isClosed) = mailbox.takeMessages()
    #expect(messages == [1] && isClosed && mailbox.isEmpty)
  }

  @Test("Only the first message that satisfies the predicate is removed")
  func removes() {
    let mailbox = Mailbox<Int>()
    for number in [1, 2, 3, 4] { mailbox.post(number) }
    #expect(mailbox.removeFirst { $0.isMultiple(of: 2) } && !mailbox.removeFirst { $0 > 9 })
    let (messages, isClosed) = mailbox.takeMessages()
    #expect(messages == [1, 3, 4] && !isClosed)
  }
}
