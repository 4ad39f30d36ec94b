import { memo } from 'react'

/** So many characters are laid out together; those that are out of sight wait. */
const slice = 20_000

/** A text as it was written, however long. What stands is not drawn again while the text grows. */
export function Plain({ text }: { text: string }) {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const line = text.lastIndexOf('\n', at + slice)
    const end = line > at && at + slice < text.length ? line + 1 : Math.min(text.length, at + slice)
    pieces.push(text.slice(at, end))
    at = end
  }
  return (
    <div className="font-mono text-sm">
      {pieces.map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
    </div>
  )
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return (
    <div
      dir="auto"
      className="wrap-anywhere whitespace-pre-wrap [contain-intrinsic-size:auto_40rem] [content-visibility:auto]"
    >
      {text.endsWith('\n') ? text.slice(0, -1) : text}
    </div>
  )
})
