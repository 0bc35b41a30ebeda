/// The name of a module of the client.
public let viewsName = "Views"
