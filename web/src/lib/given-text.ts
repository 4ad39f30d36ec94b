/** A value of an address, such as `q` in `?q=tea`; undefined where there is none. */
export const givenText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
