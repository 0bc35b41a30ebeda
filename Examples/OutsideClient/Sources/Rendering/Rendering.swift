/// The name of a module of the client.
public let renderingName = "Rendering"
