/** Keeps the screen on during a talk where the browser can, and says when somebody looks at the page again. */

/** Ends with `signal`. Where the system refuses, as with little battery, the screen may go off; the talk goes on. */
export function stayAwake(signal: AbortSignal, onBack: () => void): void {
  let lock: WakeLockSentinel | null = null
  const hold = async () => {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return
    lock = await navigator.wakeLock.request('screen').catch(() => null)
    if (signal.aborted) await lock?.release()
  }
  // A lock is gone with the page's turn on the screen.
  const look = () => {
    if (document.visibilityState !== 'visible') return
    void hold()
    onBack()
  }
  document.addEventListener('visibilitychange', look, { signal })
  signal.addEventListener('abort', () => void lock?.release())
  void hold()
}
