import { useMutation } from '@tanstack/react-query'
import { LogIn } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { wordsOf } from '../../api/errors.ts'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { useText } from 'virtual:words/tool-sign-in'
import { openSignIn, type SignInOutcome, onSignInEnded } from './sign-in-window.ts'
import { useSignInFault } from './sign-in-fault.ts'

/** Signs in at a tool server, in a small window; what came of it is said beside the button. */
export function SignInButton({
  serverId,
  again = false,
  onEnded,
  ...button
}: { serverId: string; again?: boolean; onEnded: (outcome: SignInOutcome) => void } & Pick<
  ButtonProps,
  'size' | 'tone'
>) {
  const t = useText('tool-sign-in')
  const start = useMutation({ mutationFn: () => openSignIn(serverId) })
  const [fault, setOutcome] = useSignInFault()
  const heard = useRef(onEnded)
  heard.current = onEnded
  useEffect(
    () =>
      onSignInEnded((outcome) => {
        if (outcome.serverId !== serverId) return
        setOutcome(outcome)
        heard.current(outcome)
      }),
    [serverId, setOutcome],
  )
  const problem = start.error ? wordsOf(start.error) : start.data === false ? t('blocked') : fault
  return (
    <>
      <Button
        {...button}
        icon={<LogIn aria-hidden className="size-4" />}
        busy={start.isPending}
        onClick={() => {
          setOutcome(null)
          start.mutate()
        }}
      >
        {t(again ? 'again' : 'signIn')}
      </Button>
      {problem && (
        <p role="alert" className="w-full text-sm text-danger-ink">
          {problem}
        </p>
      )}
    </>
  )
}
