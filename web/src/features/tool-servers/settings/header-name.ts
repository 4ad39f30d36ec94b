/** Whether a header can have this name; narrower than RFC 9110: letters, digits, hyphens and underscores. */
export const isHeaderName = (header: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(header)
