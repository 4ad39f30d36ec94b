/** What a person may type for an amount: a plain decimal number that is more than nothing, at most nine places. */
export const isAmount = (typed: string, whole = false): boolean =>
  (whole ? /^\d{1,9}$/ : /^\d{1,9}(\.\d{1,9})?$/).test(typed.trim()) && /[1-9]/.test(typed)

/** A price may be nothing: that is not the same as none. */
export const isPrice = (typed: string): boolean => /^\d{1,9}(\.\d{1,9})?$/.test(typed.trim())
