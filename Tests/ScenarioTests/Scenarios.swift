import Testing

/// The built program, run as a user would run it, on folders of real files.
///
/// One run at a time: several would only wait for each other's processor.
@Suite("The built program", .serialized)
enum Scenarios {}
