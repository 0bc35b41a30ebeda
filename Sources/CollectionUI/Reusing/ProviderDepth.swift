/// Whether a cell provider is running: registrations made then are refused at their first dequeue.
///
/// A task-local value, as the provider is client code that cannot be handed an argument to pass on.
enum ProviderContext {
  struct Value: Sendable {
    var isInside = false
  }

  @TaskLocal static var current = Value()
}
