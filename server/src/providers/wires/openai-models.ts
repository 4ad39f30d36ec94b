/** What the names of OpenAI's own models tell of the requests they take. Other servers' names tell nothing. */

/** Thinks before it answers: takes no sampling values, and counts its limit in completion tokens. */
export const alwaysThinks = (model: string): boolean =>
  /^(o\d|gpt-([5-9]|\d\d)|codex)/.test(model) && !/-chat/.test(model)

/** Does not think, and refuses to be asked about it. */
export const neverThinks = (model: string): boolean => /^(gpt-(3|4)|chatgpt-|gpt-\d+(\.\d+)?-chat)/.test(model)

/** How little thinking can be asked for. */
export const leastEffort = (model: string): string =>
  /^o\d/.test(model) ? 'low' : /^gpt-5(-|$)/.test(model) ? 'minimal' : 'none'
