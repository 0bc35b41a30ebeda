/// A reference without content: it is shared when what it stands beside is shared, and that can be asked.
final class LayerToken: Sendable {}
