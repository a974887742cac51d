import type { Tone } from './state.ts';

type IconProps = { readonly name: string; readonly tone?: Tone; readonly label?: string };

/** Without a label it is decoration. */
export function Icon({ name, tone, label }: IconProps) {
  const classes = `codicon codicon-${name}${tone ? ` tone-${tone}` : ''}${name === 'loading' ? ' spinner' : ''}`;
  if (label === undefined) return <span class={classes} aria-hidden="true" />;
  return <span class={classes} role="img" aria-label={label} title={label} />;
}

type ActionProps = { readonly icon: string; readonly label: string; readonly onClick: () => void };

export function IconButton({ icon, label, onClick }: ActionProps) {
  return (
    <button type="button" class="icon-button" title={label} aria-label={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  );
}
