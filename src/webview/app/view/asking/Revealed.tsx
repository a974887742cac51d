import { reveal } from '../../reveal.ts';

/** Text in which nothing can hide. */
export function Revealed({ text }: { readonly text: string }) {
  return (
    <>{reveal(text).map((piece, index) => (piece.isStandIn ? <mark key={index}>{piece.text}</mark> : piece.text))}</>
  );
}
