/** The metrics that an expression names. Throws an Error that says where it is no PromQL. */
export function readExpression(text: string): string[]
