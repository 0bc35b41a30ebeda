/// The name of a module of the client.
public let testSupportName = "TestSupport"
