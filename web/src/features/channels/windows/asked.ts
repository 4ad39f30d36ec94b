import { create } from 'zustand'
import type { Wish } from '../search.ts'

/** Which window of the area is open, wherever it was asked for. */
export const useAsked = create<{ readonly wish: Wish | null }>(() => ({ wish: null }))
export const askFor = (wish: Wish | null): void => useAsked.setState({ wish })
