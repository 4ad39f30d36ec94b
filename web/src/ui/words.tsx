import { createContext, use } from 'react'

/** The few words that components say on their own; the app gives them in the language on screen. */
export interface UiWords {
  close: string
  cancel: string
  loading: string
  retry: string
  details: string
  copyDetails: string
  copied: string
  notifications: string
  required: string
  clear: string
  /** On the eye in a field for a secret. */
  showTyped: string
  hideTyped: string
}

export const englishWords: UiWords = {
  close: 'Close',
  cancel: 'Cancel',
  loading: 'Loading',
  retry: 'Try again',
  details: 'Details',
  copyDetails: 'Copy details',
  copied: 'Copied',
  notifications: 'Notifications',
  required: 'required',
  clear: 'Clear',
  showTyped: 'Show what is typed',
  hideTyped: 'Hide what is typed',
}

export const UiWordsContext = createContext<UiWords>(englishWords)
export const useUiWords = () => use(UiWordsContext)
