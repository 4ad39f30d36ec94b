/** What API tokens look like, and how many there can be. Pure. */

export const apiTokenPrefix = 'atr_'
/** Whether a text can be an API token at all; saves a look-up for what is not. */
export const isApiTokenShaped = (text: string): boolean => /^atr_[A-Za-z0-9_-]{43}$/.test(text)
/** So many characters of an API token are kept in plain, to tell tokens apart. */
export const shownPrefixLength = 12
/** So many API tokens of an account may be live at a time. */
export const maxLiveTokens = 25
