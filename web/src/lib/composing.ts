/**
 * Whether a key belongs to an input method that composes a word, as one that takes its suggestion does. Safari ends the
 * composition before it tells of that key, and marks it by the old key code alone.
 */
export const isComposing = ({
  isComposing: composes,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean => composes || keyCode === 229
