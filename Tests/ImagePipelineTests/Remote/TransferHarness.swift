import DataStructures
import FramePacing
import TestSupport
import Testing

@testable import ImagePipeline

/// An address on a server of the tests' own.
func remoteURL(_ host: Int, _ path: String) -> RemoteURL {
  guard let url = RemoteURL("http://host\(host)/\(path)") else { misuse("no address: \(path)") }
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
  private(set) var running: [TransferOrder] = []
  /// All tries, in the order of starting.
  private(set) var started: [TransferOrder] = []
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
  var waiting: [ImageTicket] {
    wishes.keys.filter { ends[$0] == nil && !left.contains($0) }.sorted { $0.number < $1.number }
  }

  @discardableResult
  mutating func want(
    _ url: RemoteURL, by deadline: Double = 0, kind: RemoteKind = .picture, isPublic: Bool = false
  ) -> ImageTicket {
    let ticket = ImageTicket(number: nextTicket)
    nextTicket += 1
    let request = RemoteRequest(url, kind: kind, isGivenByPublicServer: isPublic)
    wishes[ticket] = (request, at(deadline))
    tell(.request(request, ticket, deadline: at(deadline), validator: RemoteValidator()))
    return ticket
  }

  mutating func move(_ ticket: ImageTicket, to deadline: Double) {
    wishes[ticket]?.deadline = at(deadline)
    tell(.updateDeadline(ticket, at(deadline)))
  }

  mutating func leave(_ ticket: ImageTicket) {
    if ends[ticket] == nil { left.insert(ticket) }
    tell(.cancel(ticket))
  }

  /// Ends a try, by its place among those that run.
  mutating func end(_ ending: TransferEnding, at place: Int = 0, isPublic: Bool = false) {
    let order = running.remove(at: place)
    tell(.ended(order.number, ending, atPublicServer: isPublic))
  }

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
    for effect in scheduler.handle(event, at: now) {
      switch effect {
      case .start(let order):
        #expect(!started.contains { $0.number == order.number }, "a try has its number once")
        #expect(waiting.contains { wishes[$0]?.request == order.request }, "nobody wants \(order.url)")
        #expect(!running.contains { $0.request == order.request }, "two tries for \(order.url)")
        running.append(order)
        started.append(order)
      case .stop(let number):
        #expect(running.contains { $0.number == number })
        running.removeAll { $0.number == number }
      case .succeed(let tickets, let request, _): end(tickets, request, .success)
      case .fail(let tickets, let request, let failure): end(tickets, request, .failure(failure))
      }
    }
    let byHost = Dictionary(grouping: running, by: \.url.origin)
    #expect(byHost.values.allSatisfy { $0.count <= settings.connectionsPerHost })
    #expect(running.count <= settings.connections && running.count == scheduler.runningCount)
    #expect(scheduler.taskCount == Set(waiting.compactMap { wishes[$0]?.request }).count)
    #expect(scheduler.nextTick.map { $0 > now } ?? true, "what was due was done")
  }

  private mutating func end(_ tickets: [ImageTicket], _ request: RemoteRequest, _ end: End) {
    #expect(tickets == waiting.filter { wishes[$0]?.request == request })
    for ticket in tickets {
      #expect(ends[ticket] == nil && !left.contains(ticket))
      ends[ticket] = end
    }
    running.removeAll { $0.request == request }
  }
}
