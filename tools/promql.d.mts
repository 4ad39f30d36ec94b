/** The metrics that an expression names. Throws an Error that says where it is no PromQL. */
export function readExpression(text: string): string[]
/** The labels that an expression matches, with the values that stand for themselves, and those that it groups by. */
export function readLabels(text: string): {
  matches: { metric: string; label: string; values: string[] }[]
  groups: string[]
}
