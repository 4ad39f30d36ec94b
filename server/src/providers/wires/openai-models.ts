/** What the names of OpenAI's own models tell of the requests they take. Other servers' names tell nothing. */

const newer = /^(openai\/)?(o\d|gpt-([5-9]|\d\d)|codex)/
const talks = /-chat/
const older = /^(openai\/)?(gpt-[34]|chatgpt-)/

/** Its limit is counted in completion tokens, under a name of its own. */
export const countsCompletion = (model: string): boolean => newer.test(model)

/** Thinks before it answers, and takes no sampling values. */
export const alwaysThinks = (model: string): boolean => newer.test(model) && !talks.test(model)

/** Does not think, and refuses to be asked about it. */
export const neverThinks = (model: string): boolean => older.test(model) || (newer.test(model) && talks.test(model))

/** How little thinking can be asked for. */
export const leastEffort = (model: string): string => {
  const name = model.replace(/^openai\//, '')
  return /^o\d/.test(name) ? 'low' : /^gpt-5(-|$)/.test(name) ? 'minimal' : 'none'
}
