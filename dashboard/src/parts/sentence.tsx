/** An amount such as −$1.25 B or +3.5 %. */
const AMOUNT = /([+−]?\$?\d[\d,.]*\u2009\S+|[+−]\$?\d[\d,.]*)/

/** A sentence whose amounts no line break parts. */
export function Sentence({ text }: { readonly text: string }) {
  const parts = text.split(AMOUNT)
  return (
    <>
      {parts.map((part, i) =>
        i % 2 === 0 ? (
          part
        ) : (
          <span key={i} class="amount">
            {part}
          </span>
        )
      )}
    </>
  )
}

/** Sentences, each a paragraph. Those that do not exist are left out. */
export function Sentences({ of }: { readonly of: readonly (string | undefined)[] }) {
  return (
    <>
      {of.map(
        (each) =>
          each !== undefined && (
            <p key={each}>
              <Sentence text={each} />
            </p>
          )
      )}
    </>
  )
}
