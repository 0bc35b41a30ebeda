import DataStructures
import FramePacing

extension ImagePipeline {
  /// Prepares a picture, and calls back in the collect phase of a later frame.
  func prepare(
    _ image: StoredImage, for form: PreparedForm, deadline: FrameInstant,
    completion: @escaping @MainActor (ImageOutcome) -> Void
  ) -> ImagePreparation {
    let ticket = request(
      image.request(for: form, mostPixels: maximumPixels), deadline: deadline, completion: completion)
    return ImagePreparation(ticket, of: self)
  }

  /// Prepares a picture for a task, whose cancellation gives it up.
  nonisolated func byPreparing(
    _ image: StoredImage, for form: PreparedForm, deadline: FrameInstant
  ) async throws -> DecodedImage {
    checkPrecondition(
      !isOnDrawingThread,
      "a picture was awaited on the thread that draws, whose loop runs no tasks and so would never go on: prepare it with "
        + "a completion")
    let reply = PreparationReply()
    let number = mailbox.postRequest(image.request(for: form, mostPixels: maximumPixels), deadline: deadline, reply)
    let outcome = await withTaskCancellationHandler {
      await reply.outcome()
    } onCancel: {
      if reply.resolve(nil), let number { mailbox.withdrawRequest(number) }
    }
    guard let outcome else { throw CancellationError() }
    return try outcome.get()
  }

  /// Prepares a picture for a thread, which waits for it.
  nonisolated func preparing(
    _ image: StoredImage, for form: PreparedForm, deadline: FrameInstant
  ) throws(ImageFailure) -> DecodedImage {
    checkPrecondition(
      !isOnDrawingThread,
      "the thread that draws was to wait for a picture that only it can take in: prepare it with a completion")
    let reply = PreparationReply()
    _ = mailbox.postRequest(image.request(for: form, mostPixels: maximumPixels), deadline: deadline, reply)
    // Nobody but the pipeline ends it.
    return try (reply.wait() ?? .failure(.interrupted)).get()
  }

  /// A picture was brought to where it is to be opened: that it could not be opened before says nothing of it now.
  func recordAvailability(_ image: StoredImage) {
    let key = key(of: image, for: .display)
    execution.query { $0.removeOpenFailure(key) }
  }

  /// The name under which a picture is in memory once it was prepared in a form.
  public nonisolated func key(of image: StoredImage, for form: PreparedForm) -> ImageKey {
    image.key(for: form, mostPixels: maximumPixels)
  }
}
