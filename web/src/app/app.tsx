import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Direction } from 'radix-ui'
import { useMemo } from 'react'
import { queryClient } from '../api/query.ts'
import { useLanguage, useText } from '../lib/texts.ts'
import { Toaster } from '../ui/toaster.tsx'
import { type UiWords, UiWordsContext } from '../ui/words.tsx'
import { Announcer } from './announcer.tsx'
import { router } from './router.tsx'
import { SignInAgain } from './sign-in-again.tsx'

/** Everything around the pages. */
export function App() {
  const t = useText('app')
  const words = useMemo(() => t('ui', { returnObjects: true }) as unknown as UiWords, [t])
  const direction = useLanguage() === 'ar' ? 'rtl' : 'ltr'
  return (
    <QueryClientProvider client={queryClient}>
      <UiWordsContext value={words}>
        <Direction.Provider dir={direction}>
          <RouterProvider router={router} />
          <SignInAgain />
          <Toaster />
          <Announcer />
        </Direction.Provider>
      </UiWordsContext>
    </QueryClientProvider>
  )
}
