import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useMemo } from 'react'
import { queryClient } from '../api/query.ts'
import { type Translate, useText } from '../lib/texts.ts'
import { Toaster } from '../ui/toaster.tsx'
import { englishWords, type UiWords, UiWordsContext } from '../ui/words.tsx'
import { Announcer } from './announcer.tsx'
import { ProveAgain } from './prove-again.tsx'
import { router } from './router.tsx'
import { SignInAgain } from './sign-in-again.tsx'

/** Everything around the pages. */
export function App() {
  const t = useText('app')
  const words = useMemo(() => wordsIn(t), [t])
  return (
    <QueryClientProvider client={queryClient}>
      <UiWordsContext value={words}>
        <RouterProvider router={router} />
        <SignInAgain />
        <ProveAgain />
        <Toaster />
        <Announcer />
      </UiWordsContext>
    </QueryClientProvider>
  )
}

const wordsIn = (t: Translate): UiWords =>
  Object.fromEntries(Object.keys(englishWords).map((name) => [name, t(`ui.${name}`)])) as unknown as UiWords
