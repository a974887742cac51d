type ReasonProps = {
  readonly label: string;
  /** Shorter words for the empty field. */
  readonly hint?: string;
  readonly value: { value: string };
  readonly onEnter: () => void;
};

/** One line of words for the agent. */
export function ReasonField({ label, hint, value, onEnter }: ReasonProps) {
  return (
    <input
      type="text"
      class="field-input"
      aria-label={label}
      placeholder={hint ?? label}
      value={value.value}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.isComposing && value.value.trim() !== '') onEnter();
      }}
    />
  );
}
