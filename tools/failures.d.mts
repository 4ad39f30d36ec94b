/** Each failed test of a report of Vitest: its file, its name, the beginning of its message. */
export function failuresOfTests(report: unknown): string[]
/** Each failed journey of a report of Playwright: its file, its name, the beginning of its message. */
export function failuresOfJourneys(report: unknown): string[]
