/// What a person does with a row.
nonisolated enum RowState {
  case resting, hovered, selected, lifted
}
