/// What a system call that is not on a decoding process's list comes to.
public enum ForbiddenCallAction: String, CaseIterable, Hashable, Sendable {
  /// It fails with ENOSYS, as on a kernel that does not know it; the process goes on if it can.
  case fail
  /// It ends the process by SIGSYS, so that a test sees what the list lacks.
  case kill
}
