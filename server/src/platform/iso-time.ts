/** Times as every answer writes them: RFC 3339, UTC, with milliseconds. */
export const toIsoTime = (ms: number): string => new Date(ms).toISOString()

export const toIsoTimeOrNull = (ms: number | null): string | null => (ms === null ? null : toIsoTime(ms))
