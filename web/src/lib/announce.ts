type Urgency = 'polite' | 'assertive'
let speak: ((text: string, urgency: Urgency) => void) | null = null

/** Says something to screen readers only. `assertive` interrupts; keep it for what needs an answer now. */
export function announce(text: string, urgency: Urgency = 'polite'): void {
  speak?.(text, urgency)
}

/** The app's live region takes what is announced. */
export function setAnnouncer(next: typeof speak): void {
  speak = next
}
