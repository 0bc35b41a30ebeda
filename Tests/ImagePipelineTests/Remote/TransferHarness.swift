import DataStructures
import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

/// An address on a server of the tests' own.
func remoteURL(_ host: Int, _ path: String) -> RemoteURL {
  guard let url = RemoteURL("http://host\(host).example/\(path)") else { failPrecondition("no address: \(path)") }
  return url
}

/// Drives a scheduler of transfers, and checks after every event what must always hold.
struct TransferHarness {
  /// How something ended.
  enum End: Hashable {
    case success
    case failure(RemoteFailure)
  }

  var scheduler: TransferScheduler
  let settings: TransferSettings
  /// Tries that run, in the order of starting.
  private(set) var running: [TransferAttempt] = []
  /// All tries, in the order of starting.
  private(set) var started: [TransferAttempt] = []
  /// What each try may have taken in, and how far it has come.
  private(set) var granted: [UInt64: Int] = [:]
  private(set) var progress: [UInt64: TransferProgress] = [:]
  /// Tries that were put off for others, in that order.
  private(set) var putOff: [TransferAttempt] = []
  /// What each was told.
  private(set) var ends: [ImageTicket: End] = [:]
  /// Those who gave up.
  private(set) var left: Set<ImageTicket> = []
  /// What each wants and when.
  private(set) var wishes: [ImageTicket: (request: RemoteRequest, deadline: FrameInstant)] = [:]
  var now = FrameInstant.zero
  private var nextTicket: UInt64 = 1

  init(_ settings: TransferSettings = TransferSettings(), seed: UInt64 = 1) {
    self.settings = settings
    scheduler = TransferScheduler(settings, seed: seed)
  }

  /// Those who wait.
  var waiting: [ImageTicket] { open.sorted { $0.number < $1.number } }
  private var open: Set<ImageTicket> = []

  @discardableResult
  mutating func want(
    _ url: RemoteURL, by deadline: Double = 0, kind: RemoteKind = .picture, isPublic: Bool = false
  ) -> ImageTicket {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    let request = RemoteRequest(url, kind: kind, isGivenByPublicServer: isPublic)
    wishes[ticket] = (request, at(deadline))
    open.insert(ticket)
    tell(.request(request, ticket, deadline: at(deadline), validator: RemoteValidator()))
    return ticket
  }

  mutating func move(_ ticket: ImageTicket, to deadline: Double) {
    wishes[ticket]?.deadline = at(deadline)
    tell(.updateDeadline(ticket, at(deadline)))
  }

  mutating func leave(_ ticket: ImageTicket) {
    if ends[ticket] == nil { left.insert(ticket) }
    open.remove(ticket)
    tell(.cancel(ticket))
  }

  /// Ends a try, by its place among those that run.
  mutating func end(_ ending: TransferOutcome, at place: Int = 0, isPublic: Bool = false) {
    let order = running.remove(at: place)
    tell(.ended(order.number, ending, atPublicServer: isPublic))
  }

  /// Lets bytes come to a try, by its place among those that run: as many as it has room for.
  mutating func bring(_ bytes: Int, of length: Int, isTold: Bool = true, at place: Int = 0) {
    let number = running[place].number
    let before = progress[number] ?? TransferProgress()
    guard !before.isPaused else { return }
    let wanted = min(before.received + bytes, length)
    let room = granted[number] ?? 0
    let now = TransferProgress(
      received: min(wanted, room), expected: isTold ? length : nil, isPaused: wanted > room)
    progress[number] = now
    tell(.progressed(number, now))
  }

  /// The bytes that bodies on their way may hold.
  var held: Int { running.reduce(0) { $0 + (granted[$1.number] ?? 0) } }

  /// Lets time pass up to where it changes something; not at all where it changes nothing.
  @discardableResult
  mutating func passTime() -> Bool {
    guard let tick = scheduler.nextTick else { return false }
    now = max(now, tick)
    tell(.tick)
    return true
  }

  mutating func pass(milliseconds: Double) {
    now = now + .milliseconds(milliseconds)
    tell(.tick)
  }

  mutating func tell(_ event: TransferScheduler.Event) {
    var stopped: [TransferAttempt] = []
    for effect in scheduler.handle(event, at: now) {
      switch effect {
      case .start(let order):
        #expect(!started.contains { $0.number == order.number }, "a try has its number once")
        #expect(open.contains { wishes[$0]?.request == order.request }, "nobody wants \(order.url)")
        #expect(!running.contains { $0.request == order.request }, "two tries for \(order.url)")
        running.append(order)
        started.append(order)
        granted[order.number] = order.byteAllowance
      case .grant(let number, let bytes):
        #expect(running.contains { $0.number == number } && bytes > granted[number] ?? 0)
        granted[number] = bytes
        progress[number]?.isPaused = false
      case .stop(let number):
        #expect(running.contains { $0.number == number })
        stopped += running.filter { $0.number == number }
        running.removeAll { $0.number == number }
      case .succeed(let tickets, let request, _): end(tickets, request, .success)
      case .fail(let tickets, let request, let failure): end(tickets, request, .failure(failure))
      }
    }
    if !stopped.isEmpty {
      let wanted = deadlines
      putOff += stopped.filter { wanted[$0.request] != nil }
    }
    checkRoom()
    let byHost = Dictionary(grouping: running, by: \.url.origin)
    #expect(byHost.values.allSatisfy { $0.count <= settings.connectionsPerHost })
    #expect(running.count <= settings.connections && running.count == scheduler.runningCount)
    #expect(scheduler.taskCount == Set(open.compactMap { wishes[$0]?.request }).count)
    #expect(scheduler.nextTick.map { $0 > now } ?? true, "what was due was done")
  }

  /// When what is wanted is needed by the first of those who wait for it.
  var deadlines: [RemoteRequest: FrameInstant] {
    var deadlines: [RemoteRequest: FrameInstant] = [:]
    for wish in open.compactMap({ wishes[$0] }) {
      deadlines[wish.request] = min(wish.deadline, deadlines[wish.request] ?? .distantFuture)
    }
    return deadlines
  }

  private func checkRoom() {
    #expect(held <= settings.memoryBudget.limit, "no more bytes than there is room for")
    guard running.contains(where: { progress[$0.number]?.isPaused ?? false }) else { return }
    let deadlines = deadlines
    let first = running.compactMap { deadlines[$0.request] }.min()
    #expect(
      running.contains { deadlines[$0.request] == first && !(progress[$0.number]?.isPaused ?? false) },
      "the first of all does not wait for memory")
  }

  private mutating func end(_ tickets: [ImageTicket], _ request: RemoteRequest, _ end: End) {
    #expect(tickets == waiting.filter { wishes[$0]?.request == request })
    for ticket in tickets {
      #expect(ends[ticket] == nil && !left.contains(ticket))
      ends[ticket] = end
      open.remove(ticket)
    }
    running.removeAll { $0.request == request }
  }
}
