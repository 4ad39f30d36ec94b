/** What a banner says, with addresses in it as links. */
export function BannerText({ text }: { text: string }) {
  return (
    <bdi className="min-w-0 whitespace-pre-line [overflow-wrap:anywhere]">
      {text.split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]])/).map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} href={part} target="_blank" rel="noreferrer" className="underline underline-offset-2">
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </bdi>
  )
}
