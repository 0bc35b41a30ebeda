import VitrineDataStructures
public import VitrineFramePacing

/// A handle of an image preparation, used to change its deadline or to cancel it.
@MainActor
public final class ImagePreparation: Deferrable {
  private let pipeline: ImagePipeline
  private let ticket: ImageTicket

  init(_ ticket: ImageTicket, of pipeline: ImagePipeline) {
    self.ticket = ticket
    self.pipeline = pipeline
  }

  /// Changes the deadline.
  ///
  /// Has no effect on a running or finished preparation.
  ///
  /// - Complexity: O(log requests).
  public func updateDeadline(_ deadline: FrameInstant) { pipeline.updateDeadline(deadline, for: ticket) }

  /// Cancels the preparation; its completion is not called any more.
  ///
  /// Other requests for the image continue.
  ///
  /// If no other request needs the image, its decode stops at the next row.
  /// - Complexity: O(log requests).
  public func cancel() { pipeline.cancel(ticket) }
}

/// A running operation that can be cancelled.
@MainActor
public protocol Cancellable: AnyObject {
  /// Cancels the operation; its completion is not called any more.
  ///
  /// Has no effect if the operation has ended or was cancelled before. Releasing the object does not cancel the
  /// operation.
  func cancel()
}

/// An operation that waits in a queue and whose deadline can be changed.
@MainActor
public protocol Deferrable: Cancellable {
  /// Changes the operation's deadline, which determines its position in the queue. Has no effect if it is not waiting.
  ///
  /// - Parameter deadline: The time at which the result is needed, on the frame clock.
  func updateDeadline(_ deadline: FrameInstant)
}

extension FrameInstant {
  /// The deadline of an image that is on screen; it precedes all other deadlines.
  public static let onScreen = FrameInstant(nanoseconds: -1)
}

extension ImagePipeline {
  /// Prepares an image and calls a closure in the collect phase of a later frame.
  func prepare(
    _ image: StoredImage, for form: PreparedForm, deadline: FrameInstant,
    completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImagePreparation {
    let ticket = request(
      image.request(for: form, maximumPixels: maximumPixels), deadline: deadline, completion: completion)
    return ImagePreparation(ticket, of: self)
  }

  /// Prepares an image for a task, whose cancellation cancels the preparation.
  nonisolated func byPreparing(
    _ image: StoredImage, for form: PreparedForm, deadline: FrameInstant
  ) async throws -> DecodedImage {
    checkPrecondition(
      !isOnDrawingThread,
      "a picture was awaited on the thread that draws, whose loop runs no tasks and so would never go on: prepare it with "
        + "a completion")
    let reply = PreparationReply()
    let number = mailbox.postRequest(image.request(for: form, maximumPixels: maximumPixels), deadline: deadline, reply)
    let outcome = await withTaskCancellationHandler {
      await reply.outcome()
    } onCancel: {
      if reply.resolve(nil), let number { mailbox.cancelRequest(number) }
    }
    guard let outcome else { throw CancellationError() }
    return try outcome.get()
  }

  /// Prepares an image and blocks the calling thread until it is ready.
  nonisolated func preparing(
    _ image: StoredImage, for form: PreparedForm, deadline: FrameInstant
  ) throws(ImageFailure) -> DecodedImage {
    checkPrecondition(
      !isOnDrawingThread,
      "the thread that draws was to wait for a picture that only it can take in: prepare it with a completion")
    let reply = PreparationReply()
    _ = mailbox.postRequest(image.request(for: form, maximumPixels: maximumPixels), deadline: deadline, reply)
    // The reply is resolved with nil only on cancellation, which does not occur here.
    return try (reply.wait() ?? .failure(.interrupted)).get()
  }

  /// Discards the failure to open an image's file, which has become available.
  func recordAvailability(_ image: StoredImage) {
    let key = key(of: image, for: .display)
    executor.query { $0.removeOpenFailure(key) }
  }

  /// Returns the cache key of an image prepared in a form.
  public nonisolated func key(of image: StoredImage, for form: PreparedForm) -> ImageKey {
    image.key(for: form, maximumPixels: maximumPixels)
  }
}

/// The completions of requests.
@MainActor
final class CompletionRegistry {
  private var completions: [ImageTicket: @MainActor (ImageOutcome) -> Void] = [:]
  /// The requests cancelled by a completion while arrivals are delivered.
  private var cancelledTickets: Set<ImageTicket> = []
  private var isDelivering = false

  init() {}

  /// Registers the completion of a request.
  func register(_ ticket: ImageTicket, _ completion: @escaping @MainActor (ImageOutcome) -> Void) {
    completions[ticket] = completion
  }

  /// Removes the completion of a cancelled request, which may be among the arrivals being delivered.
  func removeCompletion(_ ticket: ImageTicket) {
    completions[ticket] = nil
    if isDelivering { cancelledTickets.insert(ticket) }
  }

  /// Removes all completions.
  func removeAll() { completions = [:] }

  /// Calls the completions of finished requests, in order of arrival and then of request.
  ///
  /// A request that a completion cancels does not receive its result, even if it is next.
  ///
  /// - Returns: The arrivals of requests without completions.
  func deliver(_ arrivals: [ImageArrival]) -> [ImageArrival] {
    guard !completions.isEmpty else { return arrivals }
    isDelivering = true
    defer {
      isDelivering = false
      cancelledTickets = []
    }
    // Determined before the first call, as completions may start and cancel requests.
    let called = arrivals.map { arrival in arrival.tickets.filter { completions[$0] != nil } }
    for (arrival, tickets) in zip(arrivals, called) where arrival.isFinal {
      for ticket in tickets { completions.removeValue(forKey: ticket)?(arrival.outcome) }
    }
    return zip(arrivals, called).compactMap { arrival, called in
      let others = arrival.tickets.filter { !called.contains($0) && !cancelledTickets.contains($0) }
      guard !others.isEmpty else { return nil }
      return ImageArrival(
        key: arrival.key, tickets: others, representation: arrival.representation, outcome: arrival.outcome)
    }
  }
}
